import { incompleteBeta } from './incomplete-beta.ts';

/** How likely Student's t with `freedom` degrees of freedom is at least as far from 0 as `t`, on either side. */
export function tTails(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

const known = new Map<string, number>();

/** The t that is exceeded, on one side, with the probability `tail`, below a half. */
export function tQuantile(tail: number, freedom: number): number {
  const key = `${tail} ${freedom}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let low = 0;
  let high = 1;
  while (tTails(high, freedom) > 2 * tail) high *= 2;
  for (let round = 0; round < 100 && high - low > 1e-13 * high; round += 1) {
    const middle = (low + high) / 2;
    if (tTails(middle, freedom) > 2 * tail) low = middle;
    else high = middle;
  }
  known.set(key, high);
  return high;
}
