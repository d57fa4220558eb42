import type { RequestCounts } from './request-counts.ts';
import type { RolloutRecord } from './rollout-record.ts';

/** A run as the endpoint saw it. */
export interface EndpointReport {
  counts: RequestCounts;
  /** Most sessions alive at once. */
  peakLiveSessions: number;
  /** Sessions that nobody has stopped. */
  liveSessions: number;
  rollouts: RolloutRecord[];
}
