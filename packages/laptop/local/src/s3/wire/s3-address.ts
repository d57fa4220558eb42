import { assertBucketName } from './bucket-name.ts';
import { s3Error } from './s3-error.ts';

/** Target of a request, path style: an object; a bucket, with an empty key; the service, with neither. */
export interface S3Target {
  at: { bucket: string; key: string };
  query: URLSearchParams;
}

/** S3 API reference, "Object key naming guidelines". */
const maxKeyBytes = 1_024;

/**
 * Reads address and query from the request line as it came. A key is any text: `a//b`, `.` and `%2F` are all meant as
 * they are written, so no router or URL parser, which would normalise them, may have seen it before.
 * @throws S3Error InvalidURI, InvalidBucketName, KeyTooLongError
 */
export function parseS3Target(rawUrl: string): S3Target {
  const [rawPath, rawQuery] = splitOnce(rawUrl.replace(/^https?:\/\/[^/?]*/i, ''), '?');
  const [rawBucket, rawKey] = splitOnce(rawPath.replace(/^\//, ''), '/');
  const query = new URLSearchParams(rawQuery);
  const at = { bucket: decode(rawBucket, rawUrl), key: decode(rawKey, rawUrl) };
  if (at.bucket !== '' || at.key !== '') assertBucketName(at.bucket);
  assertKeyLength(at.key);
  return { at, query };
}

/** @throws S3Error KeyTooLongError */
export function assertKeyLength(key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes <= maxKeyBytes) return;
  throw s3Error('KeyTooLongError', { details: { Size: bytes, MaxSizeAllowed: maxKeyBytes } });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decode(part: string, rawUrl: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw s3Error('InvalidURI', { details: { URI: rawUrl }, cause });
  }
}
