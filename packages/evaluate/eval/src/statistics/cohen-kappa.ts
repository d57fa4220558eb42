import { tQuantile } from './student-t.ts';
import { unseenShare } from './unseen-share.ts';

export type KappaWeights = 'none' | 'linear' | 'quadratic';

/** Cohen's kappa of two raters, and its 95 % interval over clusters. */
export interface KappaEstimate {
  /** Null where chance alone makes both agree always: each gave one category. */
  value: number | null;
  /** Null where nothing is known of the spread: no value, one cluster, or a rater with one category. */
  low: number | null;
  high: number | null;
}

/** By how much two categories disagree, by their distance in the order of all. */
const disagreements: Record<KappaWeights, (distance: number) => number> = {
  none: (distance) => (distance === 0 ? 0 : 1),
  linear: (distance) => distance,
  quadratic: (distance) => distance ** 2,
};

/**
 * Cohen's kappa (1960), weighted (1968), as `cohen_kappa_score` of scikit-learn has it: 1 less the disagreement seen, as a share of that by chance.
 * Its standard error is the delta method's, which is that of Fleiss, Cohen and Everitt (1969), with the residuals of a cluster added up. The
 * interval is that of the logarithm of this share, so that it ends at 1. Where all agree it is by what the clusters may not have shown.
 * @param clusters pairs of categories, from 0 in their order; one pair at least in each
 */
export function cohenKappa(
  clusters: readonly (readonly (readonly [number, number])[])[],
  weights: KappaWeights = 'none',
): KappaEstimate {
  const pairs = clusters.flat();
  const weigh = (first: number, second: number): number => disagreements[weights](Math.abs(first - second));
  const [firsts, seconds] = [0, 1].map((rater) => sharesOf(pairs.map((pair) => pair[rater]!)));
  const againstSecond = (category: number): number => expected(seconds!, (other) => weigh(category, other));
  const againstFirst = (category: number): number => expected(firsts!, (other) => weigh(other, category));
  const chance = expected(firsts!, againstSecond);
  const none = { low: null, high: null };
  if (pairs.length === 0 || chance === 0) return { value: null, ...none };
  const seen = pairs.reduce((sum, pair) => sum + weigh(...pair), 0) / pairs.length;
  const share = seen / chance;
  const value = 1 - share;
  const count = clusters.length;
  if (count < 2 || firsts!.size < 2 || seconds!.size < 2) return { value, ...none };
  if (seen === 0) {
    const worst = Math.max(
      ...[...firsts!.keys()].flatMap((first) => [...seconds!.keys()].map((second) => weigh(first, second))),
    );
    return { value, low: Math.max(-1, 1 - (unseenShare(count) * worst) / chance), high: 1 };
  }
  const influence = ([first, second]: readonly [number, number]): number =>
    (weigh(first, second) - share * (againstSecond(first) + againstFirst(second) - chance)) / chance;
  const squares = clusters.reduce(
    (sum, cluster) => sum + cluster.reduce((total, pair) => total + influence(pair), 0) ** 2,
    0,
  );
  const standardError = Math.sqrt((squares * count) / (count - 1)) / pairs.length;
  const factor = Math.exp((tQuantile(0.025, count - 1) * standardError) / share);
  return { value, low: Math.max(-1, 1 - share * factor), high: 1 - share / factor };
}

function sharesOf(categories: readonly number[]): Map<number, number> {
  const shares = new Map<number, number>();
  for (const category of categories)
    shares.set(category, (shares.get(category) ?? 0) + 1 / categories.length);
  return shares;
}

function expected(shares: ReadonlyMap<number, number>, of: (category: number) => number): number {
  return [...shares].reduce((sum, [category, share]) => sum + share * of(category), 0);
}
