import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { shardOf } from './shard-of.ts';

it('is the SHA-256 of the id as a number, modulo the count', () => {
  for (const id of ['', 'one', 'a/b:c d', '😀']) {
    const number = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`);
    for (const count of [1, 2, 3, 7, 128]) expect(shardOf(id, count)).toBe(Number(number % BigInt(count)));
  }
});
