import type { ArtError } from '@art/ground';
import type { RolloutOutcome } from '@art/protocol';

/** The recorder of one rollout's model calls. */
export interface RolloutCapture {
  /**
   * Resolves when calls would be recorded, with the key that the agent has to send, where there is one.
   * @throws ArtError when they would not: the rollout is not sent then; the signal's reason when aborted.
   */
  open(signal: AbortSignal): Promise<string | undefined>;
  /** True if `open` failed because the infrastructure is down. This may pass, and is no fault of the rollout. */
  isOutage(error: unknown): boolean;
  /** True if a call of the model was captured, or is open. Rejects if that cannot be asked. */
  hasCalls(signal: AbortSignal): Promise<boolean>;
  /** True if what its calls spend has a ceiling. */
  readonly isBounded: boolean;
  /**
   * The outcome by the ceilings: `ceiling` where a call was refused by the rollout's own, `cancelled` where it was by that of its run, and
   * as it is elsewhere. Never rejects.
   * @param expiredMs how long the rollout had, where its time was over
   */
  bounded(outcome: RolloutOutcome, expiredMs: number | undefined): Promise<RolloutOutcome>;
  /**
   * The agent is at work.
   * @param onRefused called once where its calls of the model can never get through, because the agent refuses to send them here
   */
  accepted(onRefused: (error: ArtError) => void): void;
  /** An earlier process opened it. */
  adopt(): void;
  /** Keeps what was recorded, or drops it. Never rejects. */
  end(outcome: RolloutOutcome): Promise<void>;
}

/** The reward of a rollout by its outcome: null where it is kept without one, undefined where its capture is dropped. */
export type CaptureReward = (outcome: RolloutOutcome) => number | null | undefined;
