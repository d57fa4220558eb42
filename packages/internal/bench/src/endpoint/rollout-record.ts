import type { RolloutFate } from '../workload/plan-rollouts.ts';

/** One rollout, seen from the endpoint; milliseconds since it was configured. */
export interface RolloutRecord {
  /** Position in the batch. */
  index: number;
  fate: RolloutFate;
  /** When the first invocation arrived. */
  invokedMs: number;
  /** When it was answered: the agent begins. */
  acceptedMs?: number;
  /** When the result could be read. */
  storedMs?: number;
  /** When the first read that found it arrived. */
  noticedMs?: number;
  /** When that read was answered. */
  fetchedMs?: number;
  /** When the first stop arrived. */
  stoppedMs?: number;
}
