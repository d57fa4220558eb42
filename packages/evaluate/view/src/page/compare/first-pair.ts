import type { RunData } from '../data/run-data.ts';
import type { Route } from '../shell/route.ts';

/** The comparison of the first two evaluations as they were named; undefined where there are fewer. */
export function firstPair(runs: readonly RunData[]): Route | undefined {
  const [before, after] = runs.flatMap(({ info }, number) => (info.kind === 'evaluation' ? [number] : []));
  return before === undefined || after === undefined ? undefined : { page: 'compare', before, after };
}
