import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import { checkClaim, readBodyClaims, type BodyClaim } from './body-checksums.ts';
import type { ObjectProperties } from '../backend/object-backend.ts';
import { startChecksum } from '../checksums/checksum-algorithm.ts';
import { decodeAwsChunked } from './decode-aws-chunked.ts';
import { invalidArgument, s3Error } from '../wire/s3-error.ts';

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
    throw s3Error('MissingContentLength', { message: `You must provide the ${name} HTTP header.` });
  }
  if (!/^\d{1,15}$/.test(String(length))) throw invalidArgument(name, String(length), 'a number of bytes');
  const sizeBytes = Number(length);
  if (sizeBytes > maxBytes) {
    throw s3Error('EntityTooLarge', {
      details: { ProposedSize: sizeBytes, MaxSizeAllowed: maxBytes },
    });
  }
  return { claims: readBodyClaims(headers), framing, sizeBytes };
}

/** A body on its way in. */
export interface RequestBody {
  /**
   * To be read once; asks the client for the body first.
   * @throws S3Error IncompleteBody, BadDigest, XAmzContentSHA256Mismatch, MalformedTrailerError
   */
  chunks: AsyncIterable<Uint8Array>;
  /** After the last chunk, when nothing that was claimed is wrong. */
  verified: () => Pick<ObjectProperties, 'etag' | 'checksum'>;
}

/** Reads the body of a request, and verifies it at its end. */
export function readObjectBody(call: { body: Readable; askForBody(): void }, plan: BodyPlan): RequestBody {
  const { claims, framing, sizeBytes } = plan;
  let verified: ReturnType<RequestBody['verified']> | undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    call.askForBody();
    const trailers = new Map<string, string>();
    const etag = createHash('md5');
    const hashes = claims.map(({ algorithm }) => startChecksum(algorithm));
    // Destroying the request with its iterator would cut the connection before an error could be answered.
    const raw: AsyncIterable<Uint8Array> = call.body.iterator({ destroyOnReturn: false });
    let receivedBytes = 0;
    for await (const chunk of framing === 'plain' ? raw : decodeAwsChunked(raw, trailers)) {
      receivedBytes += chunk.length;
      if (receivedBytes > sizeBytes) break;
      for (const hash of [etag, ...hashes]) hash.update(chunk);
      yield chunk;
    }
    if (receivedBytes !== sizeBytes) {
      const got = receivedBytes > sizeBytes ? 'more' : receivedBytes;
      const message = `The request body does not have the size that its headers say: expected ${sizeBytes} bytes, got ${got}.`;
      throw s3Error('IncompleteBody', { message });
    }
    const checksums = claims.map((claim, index) => checkClaim(claim, hashes[index]!.digest(), trailers));
    verified = { etag: etag.digest('hex'), checksum: checksums.find((checksum) => checksum !== undefined) };
  }
  return { chunks: chunks(), verified: () => verified! };
}

/** The values of Content-Encoding, in order, in lower case. */
export function contentEncodings(headers: IncomingHttpHeaders): string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');
}
