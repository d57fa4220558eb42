import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** Something that is fed with what nobody would send on purpose. */
export interface FuzzTarget {
  name: string;
  /** Its part of the cases that are asked for. */
  share: number;
  /** Throws, with the smallest case it can find, where a property does not hold. */
  run: (options: { numRuns: number; seed: number }) => Promise<void>;
}

/** `pnpm --filter PACKAGE run fuzz -- --cases 300000 --seed 7`: the fuzzing of the tests, for as long as one likes. */
export async function fuzzCommand(targets: readonly FuzzTarget[]): Promise<void> {
  const { values } = parseArgs({
    // The package manager hands the separator on.
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
  });
  const cases = Number(values.cases);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed)) {
    console.error(`Expected --cases and --seed to be whole numbers, got ${values.cases} and ${values.seed}.`);
    process.exit(2);
  }
  console.log(`${cases} cases, seed ${seed}`);
  for (const { name, share, run } of targets) {
    const numRuns = Math.max(1, Math.round(cases * share));
    const startedMs = performance.now();
    await run({ numRuns, seed });
    console.log(`${name}: ${numRuns} cases in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }
  console.log('No crash, no hang, nothing accepted that should not be.');
}
