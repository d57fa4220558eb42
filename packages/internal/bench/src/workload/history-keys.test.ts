import { compareKeys } from '@art/store';
import { expect, it } from 'vitest';
import { historyKeys } from './history-keys.ts';

it('makes different keys of one experiment, in listing order, the same for the same seed', () => {
  const keys = historyKeys('exp/a', 3_000, 1);
  expect(new Set(keys).size).toBe(3_000);
  expect(keys).toEqual(keys.toSorted(compareKeys));
  expect(keys.every((key) => /^exp\/a\/[^/]+\/[0-9a-f-]{36}\.json$/.test(key))).toBe(true);
  expect(historyKeys('exp/a', 3_000, 1)).toEqual(keys);
  expect(historyKeys('exp/a', 3_000, 2)).not.toEqual(keys);
});
