import { isThorough } from '@art/tooling/thorough';
import { Dice } from './dice.fixture.ts';

// A fixed seed, so that a run says something about the code and not about luck. To look further:
// ART_FUZZ_CASES=20000 ART_FUZZ_SEED=7 pnpm exec vitest run src/fuzz
/** How many cases each check is run with. */
export const fuzzCases = Number(process.env['ART_FUZZ_CASES'] ?? (isThorough ? 300 : 60));

const firstSeed = Number(process.env['ART_FUZZ_SEED'] ?? 1);

export const fuzzTimeoutMs: number = 120_000 + fuzzCases * 400;

/** Runs a check with so many seeds; the error of one names its seed. */
export function checked(count: number, run: (dice: Dice) => void): number {
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    try {
      run(new Dice(seed));
    } catch (error) {
      throw new Error(`ART_FUZZ_CASES=1 ART_FUZZ_SEED=${seed}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return count;
}
