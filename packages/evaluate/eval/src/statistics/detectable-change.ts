import { incompleteBeta } from './incomplete-beta.ts';
import { mcnemarExact } from './mcnemar.ts';
import type { PairedCounts } from './paired-binary.ts';

const wantedPower = 0.8;
/** Most tasks of which the sum over all outcomes is taken: it takes long, and a normal approximation is as good. */
const mostTasks = 1_000;

/**
 * The difference of two shares, paired, that McNemar's exact test shows with a chance of 80 %, where as many pairs change as were seen, or
 * as many as the difference needs.
 * @returns undefined where so few tasks show none; null for too many tasks to be summed up
 */
export function detectableChange({ gained, lost, same }: PairedCounts): number | undefined | null {
  const tasks = gained + lost + same;
  if (tasks > mostTasks) return null;
  const seen = (gained + lost) / tasks;
  const critical = Array.from({ length: tasks + 1 }, (_, changed) => criticalCount(changed));
  const power = (difference: number): number =>
    powerOf(tasks, Math.max(seen, difference), difference, critical);
  if (power(1) < wantedPower) return undefined;
  let [low, high] = [0, 1];
  for (let round = 0; round < 20; round += 1) {
    const middle = (low + high) / 2;
    if (power(middle) < wantedPower) low = middle;
    else high = middle;
  }
  return high;
}

/** How many of the pairs that changed have to be gained for a p below 0.05; undefined where all of them are too few. */
function criticalCount(changed: number): number | undefined {
  if (mcnemarExact(0, changed) >= 0.05) return undefined;
  let [fewest, most] = [Math.ceil(changed / 2), changed];
  while (fewest < most) {
    const middle = Math.floor((fewest + most) / 2);
    if (middle * 2 > changed && mcnemarExact(changed - middle, middle) < 0.05) most = middle;
    else fewest = middle + 1;
  }
  return fewest;
}

function powerOf(
  tasks: number,
  changing: number,
  difference: number,
  critical: readonly (number | undefined)[],
): number {
  const gain = (1 + difference / changing) / 2;
  let power = 0;
  for (const [changed, needed] of critical.entries()) {
    if (needed === undefined) continue;
    const chance = atLeast(changed, tasks, changing) - atLeast(changed + 1, tasks, changing);
    if (chance > 1e-12) power += chance * atLeast(needed, changed, gain);
  }
  return power;
}

/** How likely at least `count` of `trials` succeed. */
function atLeast(count: number, trials: number, chance: number): number {
  if (count <= 0) return 1;
  return count > trials ? 0 : incompleteBeta(chance, count, trials - count + 1);
}
