import { describe, expect, it } from 'vitest';
import { isRegion } from './is-region.ts';

describe('isRegion', () => {
  it.each(['us-west-2', 'us-gov-west-1', 'cn-northwest-1', 'us-isob-east-1', 'eusc-de-east-1'])(
    '%s',
    (region) => {
      expect(isRegion(region)).toBe(true);
    },
  );

  it.each(['', 'us-west', 'US-WEST-2', 'us-west-2a', 'us-west-2.example.com', 'us-west-2\n', 'local'])(
    'not %j',
    (text) => {
      expect(isRegion(text)).toBe(false);
    },
  );
});
