import type { RolloutOutcome, RuntimeEvent } from '@art/protocol';

/** Which rollout an event is about. */
interface AboutRollout {
  /** Position of its item in the data of the run; 0 for a single rollout. */
  index: number;
  /** Its number among the rollouts of a group; 0 in a batch, and for a single rollout. */
  member: number;
  /** Number of the attempt at it, from 0. */
  attempt: number;
  inputId: string;
  sessionId: string;
}

/** Milliseconds since 1970, from the client's clock. */
interface Timestamp {
  atMs: number;
}

/**
 * The events of rollouts, in the order in which they happen.
 * - `submitted`: the request is handed to the runtime.
 * - `adopted`: an earlier process had submitted it; this process continues it.
 * - `accepted`: the agent has answered "processing".
 * - `noticed`: the result was seen in the store.
 * - `settled`: the outcome is known.
 * - `session_stopped`: the session was stopped; `result` says whether the runtime still had it.
 * - `throttled`, `retry`, `quota_paused`, `quota_resumed`, ...: the runtime's reactions to its limits; see
 *   `RuntimeEvent`.
 * - `store_trouble`, `store_recovered`: sweeps over the store fail, and work again.
 */
export type RolloutEvent =
  | ({ type: 'submitted' | 'adopted' | 'accepted' | 'noticed' } & AboutRollout & Timestamp)
  | ({ type: 'settled'; outcome: RolloutOutcome } & AboutRollout & Timestamp)
  | ({ type: 'session_stopped'; result: 'stopped' | 'not_found' | 'failed'; error?: unknown } & AboutRollout &
      Timestamp)
  | RuntimeEvent
  | ({ type: 'store_trouble'; error: unknown; failedSweeps: number } & Timestamp)
  | ({ type: 'store_recovered'; failedSweeps: number } & Timestamp);
