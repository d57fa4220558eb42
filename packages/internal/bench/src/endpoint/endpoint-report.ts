import type { RequestCounts } from './request-counts.ts';
import type { RolloutRecord } from './rollout-record.ts';

/** What the endpoint saw of a run. */
export interface EndpointReport {
  counts: RequestCounts;
  /** Most sessions alive at once. */
  peakLiveSessions: number;
  /** Sessions that nobody has stopped. */
  liveSessions: number;
  rollouts: RolloutRecord[];
}
