import type { RolloutRecord } from '../endpoint/rollout-record.ts';

/** How many rollouts were submitted and not yet fetched, by time since the first invocation. */
export interface OutstandingPoint {
  atMs: number;
  outstanding: number;
}

/** @param points How many instants to look at, evenly spread */
export function outstandingSeries(rollouts: readonly RolloutRecord[], points = 240): OutstandingPoint[] {
  if (rollouts.length === 0) return [];
  const startMs = rollouts.reduce((least, { invokedMs }) => Math.min(least, invokedMs), Infinity);
  const started = Float64Array.from(rollouts, ({ invokedMs }) => invokedMs - startMs).toSorted();
  const ended = Float64Array.from(
    rollouts.map(({ fetchedMs, stoppedMs }) => (fetchedMs ?? stoppedMs ?? Infinity) - startMs),
  ).toSorted();
  const lastMs = ended.findLast((atMs) => atMs !== Infinity) ?? started.at(-1)!;
  return Array.from({ length: points + 1 }, (_, step) => {
    const atMs = (lastMs * step) / points;
    return { atMs, outstanding: countUpTo(started, atMs) - countUpTo(ended, atMs) };
  });
}

function countUpTo(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
