import { invalidArgument } from '../wire/s3-error.ts';

const version = 'v1:';

/** Opaque to clients: where the next page starts. Holds no state, so it survives a restart of the endpoint. */
export function writeContinuationToken(after: string): string {
  return Buffer.from(version + after).toString('base64url');
}

/** @throws S3Error InvalidArgument */
export function readContinuationToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (!text.startsWith(version) || writeContinuationToken(text.slice(version.length)) !== token) {
    throw invalidArgument('continuation-token', token, 'a NextContinuationToken of this endpoint');
  }
  return text.slice(version.length);
}
