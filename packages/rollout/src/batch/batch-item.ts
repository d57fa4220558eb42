import type { RolloutOutcome } from '@art/protocol';
import type { RolloutTimings } from '../lifecycle/rollout-timings.ts';

/** One rollout of a batch whose outcome is known. */
export interface BatchItem {
  /** Position of its payload in the source, from 0. */
  index: number;
  inputId: string;
  sessionId: string;
  /** Undefined where the payload could not be sent at all. */
  resultKey: string | undefined;
  outcome: RolloutOutcome;
  timings: RolloutTimings;
}
