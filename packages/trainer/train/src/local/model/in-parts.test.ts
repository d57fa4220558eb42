import { expect, it } from 'vitest';
import { inParts } from './in-parts.ts';

it('cuts what is read into passes of 512 tokens, in order, and leaves what is longer whole', () => {
  const lengths = [300, 200, 13, 2_000, 1, 511, 1];
  expect([...inParts(lengths, (length) => length)]).toEqual([[300, 200], [13], [2_000], [1, 511], [1]]);
});
