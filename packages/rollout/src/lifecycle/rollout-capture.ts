import type { RolloutOutcome } from '@art/protocol';
import type { Trajectory } from '../gateway/trajectory.ts';

/** What records the model calls of one rollout. */
export interface RolloutCapture {
  /**
   * Resolves when calls would be recorded; with the body that is to be sent in place of the request's, where it differs.
   * @throws ArtError when they would not: the rollout is not sent then; the signal's reason when aborted.
   */
  open(signal: AbortSignal): Promise<string | undefined>;
  /** An earlier process opened it. */
  adopt(): void;
  /** Keeps what was recorded, or drops it. Never rejects. */
  end(outcome: RolloutOutcome): Promise<void>;
  /** What was recorded; to be asked after the end. */
  trajectory(outcome: RolloutOutcome): Promise<Trajectory>;
}
