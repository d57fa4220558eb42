import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { Crc64Nvme } from './crc64-nvme.ts';

/** Last part of the header `x-amz-checksum-...`. */
export type ChecksumAlgorithm = 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256' | 'sha512' | 'md5';

/** Algorithms that the endpoint verifies, with the size of their result. */
export const checksumBytes: Readonly<Record<ChecksumAlgorithm, number>> = {
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha512: 64,
};

export function isChecksumAlgorithm(name: string): name is ChecksumAlgorithm {
  return Object.hasOwn(checksumBytes, name);
}

export interface RunningChecksum {
  update(chunk: Uint8Array): void;
  /** Once, after the last chunk. */
  digest(): Buffer;
}

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'crc32':
      return running32(crc32);
    case 'crc32c':
      return running32(crc32c);
    case 'crc64nvme':
      return new Crc64Nvme();
    case 'md5':
    case 'sha1':
    case 'sha256':
    case 'sha512':
      return createHash(algorithm);
  }
}

function running32(next: (chunk: Uint8Array, value: number) => number): RunningChecksum {
  let value = 0;
  return {
    update: (chunk) => void (value = next(chunk, value)),
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}

/** Castagnoli polynomial, bit-reversed: CRC-32C of RFC 3720, section 12.1. */
const castagnoli = 0x82f6_3b78;

const castagnoliTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ castagnoli : value >>> 1;
  return value;
});

/** Continues `value` (0 at the start) over `chunk`, with the signature of `crc32` from node:zlib. */
function crc32c(chunk: Uint8Array, value = 0): number {
  let crc = ~value;
  // An indexed loop: this runs over every byte of every body, and an iterator costs several times as much.
  for (let index = 0; index < chunk.length; index += 1) {
    crc = (castagnoliTable[(crc ^ (chunk[index] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
