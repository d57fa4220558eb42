import fc from 'fast-check';
import type { FuzzProperty } from './properties.fixture.ts';

/** Shares the cases out to the properties. A finding is thrown with its smallest case and the seed that replays it. */
export function runFuzz(
  properties: readonly FuzzProperty[],
  { cases, seed }: { cases: number; seed: number },
): void {
  const each = Math.ceil(cases / properties.length);
  const startedMs = performance.now();
  for (const { name, property } of properties) {
    const sinceMs = performance.now();
    fc.assert(property, { numRuns: each, seed });
    console.log(`${each} cases in ${Math.round(performance.now() - sinceMs)} ms: ${name}`);
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`${each * properties.length} cases with seed ${seed} in ${seconds} s, no finding`);
}
