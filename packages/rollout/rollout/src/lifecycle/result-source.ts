import type { RolloutOutcome } from '@art/protocol';
import type { RolloutAddress } from '../request/rollout-request.ts';

/** Reads a result that is known to be there. Never throws but for the signal's reason. */
export type ReadResult = (signal: AbortSignal) => Promise<RolloutOutcome>;

/**
 * What became of a request.
 * - `accepted`: the agent works on it.
 * - `ready`: the result is there already; `isAnswer` where the agent's answer said so.
 */
export type Submission =
  | { kind: 'accepted'; speaksRip: boolean }
  | { kind: 'ready'; read: ReadResult; isAnswer: boolean };

/** How a rollout that was accepted is waited for. */
export interface AwaitedRollout {
  address: RolloutAddress;
  /** Whether its agent can be asked for the invocation. */
  speaksRip: boolean;
  /** Whether this process saw it begin, so that its duration tells something. */
  isNew: boolean;
}

/** Where the results of rollouts appear: in a store, or in their sessions. */
export interface ResultSource {
  /** Whether a result can still be read when its session is gone. */
  readonly outlivesSessions: boolean;
  /**
   * Reads what an agent answered to a rollout's request.
   * @throws ArtError `ART_INVALID_REPLY`, `ART_RESULT_KEY_MISMATCH`, `ART_ROLLOUT_LOST`
   */
  readAnswer(address: RolloutAddress, body: string): Submission;
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
   * What there is at the last moment; `infra_error` without a document where the source fails; undefined where there is
   * nothing. Never throws.
   */
  lastLook(address: RolloutAddress): Promise<RolloutOutcome | undefined>;
  close(): Promise<void>;
}
