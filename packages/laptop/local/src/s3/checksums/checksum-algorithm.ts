import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { reflectedCrc, type RunningChecksum } from './reflected-crc.ts';

/** Algorithms that the endpoint verifies, by the last part of the header `x-amz-checksum-...`, with the size of their result. */
export const checksumBytes = {
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha512: 64,
} as const;

export type ChecksumAlgorithm = keyof typeof checksumBytes;

export function isChecksumAlgorithm(name: string): name is ChecksumAlgorithm {
  return Object.hasOwn(checksumBytes, name);
}

/** The Castagnoli polynomial: RFC 3720, section 12.1. */
const startCrc32c = reflectedCrc(4, 0, 0x82f6_3b78);
/** The polynomial 0xAD93D23594C93659 of the NVM Express specification, bit-reversed. */
const startCrc64Nvme = reflectedCrc(8, 0x9a6c_9329, 0xac4b_c9b5);

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'crc32':
      return startCrc32();
    case 'crc32c':
      return startCrc32c();
    case 'crc64nvme':
      return startCrc64Nvme();
    default:
      return createHash(algorithm);
  }
}

function startCrc32(): RunningChecksum {
  let value = 0;
  return {
    update: (chunk) => void (value = crc32(chunk, value)),
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}
