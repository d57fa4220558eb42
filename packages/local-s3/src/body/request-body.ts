import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import { AwsChunkedDecoder } from './aws-chunked-decoder.ts';
import { BodyVerifier, readBodyClaims, type BodyClaim } from './body-checksums.ts';
import type { ObjectChecksum } from '../backend/object-backend.ts';
import { invalidArgument, S3Error } from '../wire/s3-error.ts';

/** How the body of a request is framed and what it claims to be. */
export interface BodyPlan {
  claims: readonly BodyClaim[];
  framing: 'plain' | 'aws-chunked';
  /** Without the framing. */
  sizeBytes: number;
}

/**
 * Reads what the headers say about the body, before the body is asked for.
 * @throws S3Error MissingContentLength, EntityTooLarge and those of the claims
 */
export function planBody(headers: IncomingHttpHeaders, maxBytes: number): BodyPlan {
  // Some clients announce the encoding, some only the signature that implies it.
  const framing =
    String(headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-') ||
    contentEncodings(headers).includes('aws-chunked')
      ? 'aws-chunked'
      : 'plain';
  const name = framing === 'plain' ? 'content-length' : 'x-amz-decoded-content-length';
  const length = headers[name];
  if (length === undefined) {
    throw new S3Error(411, 'MissingContentLength', `You must provide the ${name} HTTP header.`);
  }
  if (!/^\d{1,15}$/.test(String(length))) throw invalidArgument(name, String(length), 'a number of bytes');
  const sizeBytes = Number(length);
  if (sizeBytes > maxBytes) {
    throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      details: { ProposedSize: String(sizeBytes), MaxSizeAllowed: String(maxBytes) },
    });
  }
  return { claims: readBodyClaims(headers), framing, sizeBytes };
}

/**
 * Passes the bytes of a body to `write`, one chunk at a time, and verifies it at its end.
 * @throws S3Error IncompleteBody, BadDigest, XAmzContentSHA256Mismatch, MalformedTrailerError
 */
export async function readBody(
  body: Readable,
  plan: BodyPlan,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<{ etag: string; checksum?: ObjectChecksum }> {
  const decoder = new AwsChunkedDecoder();
  // Destroying the request with its iterator would cut the connection before an error could be answered.
  const raw: AsyncIterable<Uint8Array> = body.iterator({ destroyOnReturn: false });
  const verifier = new BodyVerifier(plan.claims);
  let receivedBytes = 0;
  for await (const chunk of plan.framing === 'plain' ? raw : decoder.decode(raw)) {
    receivedBytes += chunk.length;
    if (receivedBytes > plan.sizeBytes) break;
    verifier.update(chunk);
    await write(chunk);
  }
  if (receivedBytes !== plan.sizeBytes) {
    throw new S3Error(
      400,
      'IncompleteBody',
      `The request body does not have the size that its headers say: expected ${plan.sizeBytes} bytes, got ${receivedBytes > plan.sizeBytes ? 'more' : receivedBytes}.`,
    );
  }
  return verifier.verify(decoder.trailers);
}

/** The values of Content-Encoding, in order, in lower case. */
export function contentEncodings(headers: IncomingHttpHeaders): string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');
}
