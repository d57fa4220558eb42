import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzProperties } from './properties.fixture.ts';

// A fixed seed, so that a run says something about the code and not about luck; `pnpm run fuzz` looks further.
it.each(fuzzProperties)('$name', ({ property }) => {
  const details = fc.check(property, { numRuns: 400, seed: 20_261_121 });
  expect(details.failed ? fc.defaultReportMessage(details) : 'no finding').toBe('no finding');
});
