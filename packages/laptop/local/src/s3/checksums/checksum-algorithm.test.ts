import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { isChecksumAlgorithm, startChecksum, type ChecksumAlgorithm } from './checksum-algorithm.ts';

const digestOf = (algorithm: ChecksumAlgorithm, chunks: readonly Uint8Array[]): string => {
  const running = startChecksum(algorithm);
  for (const chunk of chunks) running.update(chunk);
  return running.digest().toString('hex');
};

// The check values of the catalogue of parametrised CRC algorithms, and the empty text.
it.each([
  ['crc32', 'cbf43926', '00000000'],
  ['crc32c', 'e3069283', '00000000'],
  ['crc64nvme', 'ae8b14860a799888', '0000000000000000'],
  ['sha1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
] as const)('computes %s', (algorithm, ofDigits, ofNothing) => {
  expect(digestOf(algorithm, [Buffer.from('123456789')])).toBe(ofDigits);
  expect(digestOf(algorithm, [])).toBe(ofNothing);
  expect(digestOf(algorithm, [Buffer.from('12'), Buffer.alloc(0), Buffer.from('3456789')])).toBe(ofDigits);
  const bytes = randomBytes(1_000);
  const split = [bytes.subarray(0, 333), bytes.subarray(333)];
  expect(digestOf(algorithm, split)).toBe(digestOf(algorithm, [bytes]));
});

it('knows its algorithms only', () => {
  expect(['crc32', 'xxhash3', 'toString', 'mode'].map(isChecksumAlgorithm)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
