import type { IncomingHttpHeaders } from 'node:http';
import {
  checksumBytes,
  isChecksumAlgorithm,
  type ChecksumAlgorithm,
} from '../checksums/checksum-algorithm.ts';
import type { ObjectChecksum } from '../backend/object-backend.ts';
import { invalidArgument, invalidRequest, notImplemented, s3Error, type S3Error } from '../wire/s3-error.ts';

/** Hash of its body that a request claims; read and refused before the first byte of it. */
export interface BodyClaim {
  /** Where it says so; MD5 and SHA-256 have older their own headers besides the one checksum. */
  header: string;
  algorithm: ChecksumAlgorithm;
  encoding: 'base64' | 'hex';
  /** Undefined for a checksum that is announced for the trailer. */
  value: string | undefined;
}

const sha256Header = 'x-amz-content-sha256';
const checksumPrefix = 'x-amz-checksum-';
/** Headers that begin like a checksum and are none. */
const otherChecksumHeaders = new Set(['algorithm', 'mode', 'type'].map((name) => checksumPrefix + name));

/** @throws S3Error InvalidDigest, InvalidArgument, InvalidRequest, NotImplemented */
export function readBodyClaims(headers: IncomingHttpHeaders): BodyClaim[] {
  return [readMd5(headers), readSha256(headers), readChecksum(headers)].filter(
    (claim) => claim !== undefined,
  );
}

/**
 * Compares what a request claims with what was computed.
 * @returns the checksum, where the claim is the one that is kept with the object
 * @throws S3Error BadDigest, XAmzContentSHA256Mismatch, MalformedTrailerError
 */
export function checkClaim(
  claim: BodyClaim,
  digest: Buffer,
  trailers: ReadonlyMap<string, string>,
): ObjectChecksum | undefined {
  const { header, algorithm, encoding } = claim;
  const claimed = claim.value ?? announced(claim, trailers);
  const value = digest.toString(encoding);
  if (claimed !== value) throw mismatch(header, claimed, value);
  return header.startsWith(checksumPrefix) ? { algorithm, value } : undefined;
}

function announced({ header, algorithm }: BodyClaim, trailers: ReadonlyMap<string, string>): string {
  const value = trailers.get(header);
  if (value !== undefined && isBase64Of(checksumBytes[algorithm], value)) return value;
  const got = value === undefined ? 'none' : JSON.stringify(value);
  throw s3Error('MalformedTrailerError', { message: `The trailer ${header} was announced, got ${got}.` });
}

function mismatch(header: string, claimed: string, computed: string): S3Error {
  if (header === sha256Header) {
    return s3Error('XAmzContentSHA256Mismatch', {
      details: { ClientComputedContentSHA256: claimed, S3ComputedContentSHA256: computed },
    });
  }
  const message = `The ${header} you specified did not match the calculated checksum.`;
  return s3Error('BadDigest', {
    message,
    details: { ExpectedDigest: claimed, CalculatedDigest: computed },
  });
}

function readMd5(headers: IncomingHttpHeaders): BodyClaim | undefined {
  const value = headers['content-md5'];
  if (value === undefined) return undefined;
  if (isBase64Of(checksumBytes.md5, String(value))) {
    return { header: 'Content-MD5', algorithm: 'md5', encoding: 'base64', value: String(value) };
  }
  throw s3Error('InvalidDigest');
}

function readSha256(headers: IncomingHttpHeaders): BodyClaim | undefined {
  const value = String(headers[sha256Header] ?? 'UNSIGNED-PAYLOAD');
  if (value === 'UNSIGNED-PAYLOAD' || value.startsWith('STREAMING-')) return undefined;
  if (/^[0-9a-f]{64}$/i.test(value)) {
    return { header: sha256Header, algorithm: 'sha256', encoding: 'hex', value: value.toLowerCase() };
  }
  throw invalidArgument(sha256Header, value, 'UNSIGNED-PAYLOAD, STREAMING-... or a SHA-256 in hex');
}

function readChecksum(headers: IncomingHttpHeaders): BodyClaim | undefined {
  const named = [
    ...Object.keys(headers),
    ...String(headers['x-amz-trailer'] ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  ].filter((name) => name.startsWith(checksumPrefix) && !otherChecksumHeaders.has(name));
  if (named.length > 1) {
    throw invalidRequest(
      'Expecting a single x-amz-checksum- header or trailer. Multiple checksums are not allowed.',
    );
  }
  const announced = headers['x-amz-sdk-checksum-algorithm'];
  const [header] = named;
  if (header === undefined) {
    // SDKs announce MD5 like a checksum and send it in the older header.
    const isMd5 = String(announced).toLowerCase() === 'md5' && headers['content-md5'] !== undefined;
    if (announced === undefined || isMd5) return undefined;
    throw invalidRequest(
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  const algorithm = header.slice(checksumPrefix.length);
  if (!isChecksumAlgorithm(algorithm)) throw notImplemented(`the checksum algorithm ${algorithm}`);
  if (announced !== undefined && String(announced).toLowerCase() !== algorithm) {
    throw invalidRequest(`Value for x-amz-sdk-checksum-algorithm does not fit ${header}.`);
  }
  const value = headers[header] === undefined ? undefined : String(headers[header]);
  if (value !== undefined && !isBase64Of(checksumBytes[algorithm], value)) {
    throw invalidRequest(`Value for ${header} header is invalid.`);
  }
  return { header, algorithm, encoding: 'base64', value };
}

function isBase64Of(bytes: number, text: string): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}
