import { expect, it } from 'vitest';
import { microsecondsNow, stampAges, stampNow } from './stamp.ts';

it('tells how old each stamp in a text is', () => {
  const before = microsecondsNow();
  const text = `{"content":"${stampNow()}"}{"content":"${stampNow()}"}`;
  const ages = stampAges(text, microsecondsNow());
  expect(ages).toHaveLength(2);
  for (const age of ages) {
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThanOrEqual((microsecondsNow() - before) / 1_000);
  }
  expect(stampAges('@0000000000001000@', 3_500)).toEqual([2.5]);
});
