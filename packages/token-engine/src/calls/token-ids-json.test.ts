import fc from 'fast-check';
import { expect, it } from 'vitest';

import { tokenIdsJson } from './token-ids-json.ts';

it('writes what JSON.stringify writes', () => {
  expect(tokenIdsJson(Int32Array.of())).toBe('[]');
  expect(tokenIdsJson(Int32Array.of(0, 9, 10, 2_147_483_647, -2_147_483_648))).toBe(
    '[0,9,10,2147483647,-2147483648]',
  );
  fc.assert(
    fc.property(fc.array(fc.integer()), (ids) => {
      expect(tokenIdsJson(Int32Array.from(ids))).toBe(JSON.stringify(ids));
    }),
  );
});
