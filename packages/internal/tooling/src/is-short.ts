import { sayMissing } from './say-missing.ts';

/**
 * True where tests that take long are left out, since shorter ones beside them say nearly as much. CI runs all of them, and so does
 * `npm run test:all`.
 */
export const isShort = process.env['ART_TEST_LONG'] !== '1';

if (isShort)
  sayMissing('tests that take long, of which shorter ones have run: ART_TEST_LONG=1, or "npm run test:all"');
