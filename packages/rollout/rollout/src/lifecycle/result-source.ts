import type { RolloutOutcome } from '@art/protocol';
import type { RolloutAddress } from '../request/rollout-request.ts';

/** Reads a result that is known to be there. Never throws but for the signal's reason. */
export type ReadResult = (signal: AbortSignal) => Promise<RolloutOutcome>;

/**
 * The result of a request.
 * - `accepted`: the agent works on it.
 * - `ready`: the result is there already; `isAnswer` if it came in the agent's answer.
 */
export type Submission =
  | { kind: 'accepted'; speaksRip: boolean }
  | { kind: 'ready'; read: ReadResult; isAnswer: boolean };

/** How a rollout that was accepted is waited for. */
export interface AwaitedRollout {
  address: RolloutAddress;
  /** True if its agent can be asked for the invocation. */
  speaksRip: boolean;
  /** True if this process saw it begin, so its duration is known. */
  isNew: boolean;
}

/** Where the results of rollouts appear: in a store, or in their sessions. */
export interface ResultSource {
  /** True if a result can still be read after its session has ended. */
  readonly outlivesSessions: boolean;
  /**
   * Reads what an agent answered to a rollout's request.
   * @throws ArtError `ART_INVALID_REPLY`, `ART_RESULT_KEY_MISMATCH`, `ART_ROLLOUT_LOST`
   */
  readAnswer(address: RolloutAddress, body: string): Submission;
  /** The outcome that a failed request is where answers are results; undefined for a failure of the infrastructure. */
  readFailure?(address: RolloutAddress, error: unknown): RolloutOutcome | undefined;
  /**
   * Looks for the result of a rollout of which it is not known how far it came. Undefined where there is none, or where
   * asking costs as much as sending it again.
   * @throws what the source fails with; the signal's reason
   */
  find(address: RolloutAddress, signal: AbortSignal): Promise<ReadResult | undefined>;
  /**
   * Resolves when the result is there.
   * @throws ArtError `ART_ROLLOUT_LOST` when it will never be; the signal's reason
   */
  whenReady(rollout: AwaitedRollout, signal: AbortSignal): Promise<ReadResult>;
  /**
   * The outcome found by a last look; `infra_error` without a document if the source fails; undefined if there is no
   * result. Never throws.
   */
  lastLook(address: RolloutAddress): Promise<RolloutOutcome | undefined>;
  close(): Promise<void>;
}
