import type { RolloutOutcome } from '@art/protocol';
import type { Trajectory } from '../gateway/trajectory.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import type { LosingAttempt } from '../pool/attempt.ts';

/** One rollout of a batch whose outcome is known. */
export interface BatchItem {
  /** Position of its payload in the source, from 0. */
  index: number;
  inputId: string;
  /** Empty where the payload could not be sent at all. */
  sessionId: string;
  /** Names the run of the handler, by which an agent that speaks RIP can be asked for it. Undefined where the payload could not be sent. */
  invocationId: string | undefined;
  /** Undefined where the payload could not be sent, and where results come from sessions. */
  resultKey: string | undefined;
  outcome: RolloutOutcome;
  timings: RolloutTimings;
  /** Which attempt this is, from 0; more after retries. */
  attempt: number;
  /** The attempts before this one, in order. */
  attempts: readonly LosingAttempt[];
  /**
   * Tells the journal that the item has been dealt with; once this resolves it is never yielded again, by no process.
   * Without a journal it does nothing. Not enumerable, so that an item can be cloned and compared.
   * @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST`
   */
  acknowledge(): Promise<void>;
  /**
   * What the rollout sampled, by the gateway that the client was given, joined with reward and outcome. A rollout that failed
   * has no rows. Not enumerable, like `acknowledge`.
   * @throws ArtError `ART_INVALID_OPTION` without a gateway; GatewayError where it could not be asked: ask again, it answers
   *   the same
   */
  trajectory(): Promise<Trajectory>;
}
