import { incompleteBeta, logBeta } from './incomplete-beta.ts';
import { mcnemarExact } from './mcnemar.ts';

/** Pairs that passed or not on each side, counted by what changed. */
export interface PairedCounts {
  gained: number;
  lost: number;
  same: number;
}

/**
 * The difference of two shares, paired, at 95 %: the bound of Gaffke (2005) and of Learned-Miller and Thomas (2019, arXiv:1905.06208) for
 * differences between -1 and 1. An unseen pair of the worst kind joins those that were seen, and the pairs are weighted at random. An end lies
 * beyond 0 exactly where McNemar's exact test says so, as both come to the same binomial tail there.
 */
export function pairedBinaryInterval({ gained, lost, same }: PairedCounts): { low: number; high: number } {
  return { low: lowerBound(gained, lost, same), high: -lowerBound(lost, gained, same) };
}

const tail = 0.025;

function lowerBound(gained: number, lost: number, same: number): number {
  const isAbove = gained > lost && mcnemarExact(gained, lost) < 2 * tail;
  let [low, high] = isAbove ? [0, 1] : [-1, 0];
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2;
    if (atMost(middle, gained, lost + 1, same) < tail) low = middle;
    else high = middle;
  }
  return isAbove ? high : low;
}

/** The probability that the weight of `up` pairs less that of `down` ones is at most `limit`, if all weights that sum to 1 are as likely. */
function atMost(limit: number, up: number, down: number, same: number): number {
  const together = up + down;
  // The weight of both kinds together is one beta variable, and the share of `up` in it another, independent one.
  if (up === 0) {
    const below = same === 0 ? Number(-limit >= 1) : incompleteBeta(-limit, together, same);
    return limit >= 0 ? 1 : 1 - below;
  }
  const given = (weight: number): number => incompleteBeta((1 + limit / weight) / 2, up, down);
  if (same === 0) return given(1);
  const scale = logBeta(together, same);
  const mean = together / (together + same);
  const reach = 9 * Math.sqrt((mean * (1 - mean)) / (together + same + 1));
  return simpson(Math.max(1e-9, mean - reach), Math.min(1 - 1e-9, mean + reach), (weight) => {
    const density = (together - 1) * Math.log(weight) + (same - 1) * Math.log1p(-weight) - scale;
    return Math.exp(density) * given(weight);
  });
}

const steps = 200;

function simpson(from: number, to: number, value: (at: number) => number): number {
  const width = (to - from) / steps;
  let sum = value(from) + value(to);
  for (let step = 1; step < steps; step += 1) sum += (step % 2 === 0 ? 2 : 4) * value(from + step * width);
  return (sum * width) / 3;
}
