import type { Bets } from './betting-evidence.ts';

/** Bets of an interval: all of the stake with 30 %, else any share with the same chance. */
const intervalBets: Bets = [
  [1, 0.3],
  ...Array.from({ length: 16 }, (_, at) => [(at + 0.5) / 16, 0.7 / 16] as const),
];

/** Rule of an interval's ends. */
export interface EndRule {
  /** The chance that an end is on the wrong side. @default 0.025, for an interval of 95 % */
  tail?: number;
  /** @default bets that make the interval narrow at any number of observations */
  bets?: Bets;
}

/**
 * Both ends of the mean of independent observations between 0 and 1, each of which holds with 97.5 % (1 - `tail`) for every distribution of them, at every
 * number of observations and at all numbers at once: the interval can be looked at after each observation, and the observations can end by what
 * was seen (a confidence sequence). A mean is refused where bets against it have multiplied their stake by 40, which happens to a right one with
 * a chance of at most 1 in 40 (Ville 1939; bets on bounded means: Waudby-Smith and Ramdas 2024, arXiv:2010.09686; their mixture: Orabona and
 * Jun 2024, arXiv:2110.14099). The order of the observations plays no part.
 */
export function boundedMeanInterval(
  observations: readonly number[],
  { tail = 0.025, bets = intervalBets }: EndRule = {},
): { low: number; high: number } {
  const counts = new Map<number, number>();
  for (const seen of observations) {
    const value = Math.min(1, Math.max(0, seen));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const mirrored = Array.from(counts, ([value, count]) => [1 - value, count] as const);
  const rule = { tail, bets };
  return { low: lowerEnd([...counts], rule), high: 1 - lowerEnd(mirrored, rule) };
}

/** The largest mean that is refused; what the bets make falls with the mean they are against. */
function lowerEnd(
  counts: readonly (readonly [value: number, count: number])[],
  { tail, bets }: Required<EndRule>,
): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 36; round += 1) {
    const middle = (low + high) / 2;
    if (logStake(counts, middle, bets) >= -Math.log(tail)) low = middle;
    else high = middle;
  }
  return low;
}

/** The logarithm of what bets against `mean` have made of 1: each observation multiplies the share that was bet by itself over the mean. */
function logStake(
  counts: readonly (readonly [value: number, count: number])[],
  mean: number,
  bets: Bets,
): number {
  const logs = bets.map(([share, part]) => {
    let log = Math.log(part);
    // A logarithm for each observation takes most of the time.
    let product = 1;
    for (const [value, count] of counts) {
      const factor = 1 - share + (share * value) / mean;
      if (count > 1) log += count * Math.log(factor);
      else product *= factor;
      if (product > 1e-200 && product < 1e200) continue;
      log += Math.log(product);
      product = 1;
    }
    return log + Math.log(product);
  });
  const most = Math.max(...logs);
  if (most === -Infinity) return most;
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}
