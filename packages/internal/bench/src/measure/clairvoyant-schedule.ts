import type { InjectedLatency } from '../endpoint/endpoint-settings.ts';
import type { PlannedRollout } from '../workload/plan-rollouts.ts';

export interface ClairvoyantLimits {
  latency: InjectedLatency;
  maxConcurrentSessions: number;
  /** Sessions started per second. */
  tpsLimit: number;
  /** How long a rollout that never ends holds its session. */
  timeoutMs: number;
  /** Time that the consumer takes for each item. */
  consumerMs: number;
}

/**
 * When a client would have finished that knows every completion instant: from its first invocation to the end of the last
 * read, in milliseconds. It submits as fast as the limits allow, reads each result the moment it is there, stops the
 * session and starts the next. No real client can be faster, so it is the same bound for all.
 */
export function clairvoyantWallMs(plans: readonly PlannedRollout[], limits: ClairvoyantLimits): number {
  const { latency, maxConcurrentSessions, tpsLimit, timeoutMs, consumerMs } = limits;
  /** When each session that is alive will be gone, in ascending order. */
  const goneMs: number[] = [];
  let wallMs = 0;
  for (const [index, { durationMs, fate }] of plans.entries()) {
    const slotFreeMs = goneMs.length < maxConcurrentSessions ? 0 : goneMs.shift()!;
    const acceptedMs = Math.max(slotFreeMs, (index / tpsLimit) * 1_000) + latency.invokeMs;
    const isFetched = fate !== 'never_ends';
    const endMs = isFetched ? acceptedMs + durationMs + latency.getMs : acceptedMs + timeoutMs;
    insert(goneMs, endMs + latency.stopMs);
    wallMs = Math.max(wallMs, endMs);
  }
  return Math.max(wallMs, plans.length * consumerMs);
}

function insert(sorted: number[], value: number): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}
