import { isThorough } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { fuzzTargets } from './fuzz-targets.fixture.ts';

const cases = isThorough ? 4_000 : 800;

it.each(fuzzTargets)('$name', async ({ share, run }) => {
  await expect(run({ numRuns: Math.round(cases * share), seed: 20_261 })).resolves.toBeUndefined();
});
