import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import {
  checksumBytes,
  isChecksumAlgorithm,
  startChecksum,
  type ChecksumAlgorithm,
} from '../checksums/checksum-algorithm.ts';
import type { ObjectChecksum } from '../backend/object-backend.ts';
import { invalidArgument, invalidRequest, notImplemented, S3Error } from '../wire/s3-error.ts';

/** What a request says its body is; read and refused before the first byte of it. */
export interface BodyClaims {
  /** `Content-MD5`. */
  md5?: Buffer | undefined;
  /** `x-amz-content-sha256` in hex, where it is a hash. */
  sha256Hex?: string | undefined;
  /** The one checksum; without a value it is announced for the trailer. */
  checksum?: { algorithm: ChecksumAlgorithm; value?: string | undefined } | undefined;
}

/** Headers that begin like a checksum and are none. */
const otherChecksumHeaders = new Set(['algorithm', 'mode', 'type']);

/** @throws S3Error InvalidDigest, InvalidArgument, InvalidRequest, NotImplemented */
export function readBodyClaims(headers: IncomingHttpHeaders): BodyClaims {
  return { md5: readMd5(headers), sha256Hex: readSha256(headers), checksum: readChecksum(headers) };
}

/** Hashes a body on its way and compares the result with what was claimed. */
export class BodyVerifier {
  readonly #claims: BodyClaims;
  readonly #md5 = createHash('md5');
  readonly #sha256;
  readonly #checksum;

  constructor(claims: BodyClaims) {
    this.#claims = claims;
    this.#sha256 = claims.sha256Hex === undefined ? undefined : createHash('sha256');
    this.#checksum = claims.checksum && startChecksum(claims.checksum.algorithm);
  }

  update(chunk: Uint8Array): void {
    this.#md5.update(chunk);
    this.#sha256?.update(chunk);
    this.#checksum?.update(chunk);
  }

  /**
   * Once, after the last byte.
   * @throws S3Error BadDigest, XAmzContentSHA256Mismatch, MalformedTrailerError
   */
  verify(trailers: ReadonlyMap<string, string>): { etag: string; checksum?: ObjectChecksum } {
    const md5 = this.#md5.digest();
    const { md5: claimedMd5, sha256Hex, checksum } = this.#claims;
    if (claimedMd5 !== undefined && !claimedMd5.equals(md5)) {
      throw badDigest('Content-MD5', claimedMd5.toString('base64'), md5.toString('base64'));
    }
    const sha256 = this.#sha256?.digest('hex');
    if (sha256 !== sha256Hex) {
      throw new S3Error(
        400,
        'XAmzContentSHA256Mismatch',
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
        { details: { ClientComputedContentSHA256: sha256Hex ?? '', S3ComputedContentSHA256: sha256 ?? '' } },
      );
    }
    const etag = md5.toString('hex');
    if (checksum === undefined || this.#checksum === undefined) return { etag };
    const name = `x-amz-checksum-${checksum.algorithm}`;
    const claimed = checksum.value ?? trailers.get(name);
    if (claimed === undefined || !isChecksumValue(checksum.algorithm, claimed)) {
      throw new S3Error(
        400,
        'MalformedTrailerError',
        `The trailer ${name} was announced, got ${claimed === undefined ? 'none' : JSON.stringify(claimed)}.`,
      );
    }
    const computed = this.#checksum.digest().toString('base64');
    if (computed !== claimed) throw badDigest(name, claimed, computed);
    return { etag, checksum: { algorithm: checksum.algorithm, value: computed } };
  }
}

function readMd5(headers: IncomingHttpHeaders): Buffer | undefined {
  const value = headers['content-md5'];
  if (value === undefined) return undefined;
  const text = String(value);
  if (!isBase64Of(16, text)) {
    throw new S3Error(
      400,
      'InvalidDigest',
      'The Content-MD5 you specified is not valid: expected 16 bytes in base64.',
    );
  }
  return Buffer.from(text, 'base64');
}

function readSha256(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-amz-content-sha256'];
  if (value === undefined || value === 'UNSIGNED-PAYLOAD') return undefined;
  const text = String(value);
  if (text.startsWith('STREAMING-')) return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw invalidArgument('x-amz-content-sha256', text, 'UNSIGNED-PAYLOAD, STREAMING-... or a SHA-256 in hex');
}

function readChecksum(headers: IncomingHttpHeaders): BodyClaims['checksum'] {
  const inHeaders = Object.entries(headers)
    .filter(([name]) => name.startsWith('x-amz-checksum-'))
    .map(([name, value]) => ({ name: name.slice('x-amz-checksum-'.length), value: String(value) }))
    .filter(({ name }) => !otherChecksumHeaders.has(name));
  const inTrailers = String(headers['x-amz-trailer'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.startsWith('x-amz-checksum-'))
    .map((name) => ({ name: name.slice('x-amz-checksum-'.length), value: undefined }));
  const [first, second] = [...inHeaders, ...inTrailers];
  if (second !== undefined) {
    throw invalidRequest(
      'Expecting a single x-amz-checksum- header or trailer. Multiple checksums are not allowed.',
    );
  }
  const announced = headers['x-amz-sdk-checksum-algorithm'];
  if (first === undefined) {
    // SDKs announce MD5 like a checksum and send it in the older header.
    const isMd5 = String(announced).toLowerCase() === 'md5' && headers['content-md5'] !== undefined;
    if (announced === undefined || isMd5) return undefined;
    throw invalidRequest(
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  if (!isChecksumAlgorithm(first.name)) throw notImplemented(`the checksum algorithm ${first.name}`);
  if (announced !== undefined && String(announced).toLowerCase() !== first.name) {
    throw invalidRequest(`Value for x-amz-sdk-checksum-algorithm does not fit x-amz-checksum-${first.name}.`);
  }
  if (first.value !== undefined && !isChecksumValue(first.name, first.value)) {
    throw invalidRequest(`Value for x-amz-checksum-${first.name} header is invalid.`);
  }
  return { algorithm: first.name, value: first.value };
}

function isChecksumValue(algorithm: ChecksumAlgorithm, value: string): boolean {
  return isBase64Of(checksumBytes[algorithm], value);
}

function isBase64Of(bytes: number, text: string): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}

function badDigest(name: string, expected: string, computed: string): S3Error {
  return new S3Error(400, 'BadDigest', `The ${name} you specified did not match the calculated checksum.`, {
    details: { ExpectedDigest: expected, CalculatedDigest: computed },
  });
}
