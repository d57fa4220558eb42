import type { PastRollout } from '@art/journal';
import type { RolloutOutcome } from '@art/protocol';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import type { AttemptTransition } from './attempt-state.ts';

/**
 * The end of an attempt that an earlier process began.
 * @param nowEpochMs its end, where the journal does not know it
 * @param isRecalled whether a resume called it off, so that another one is due
 */
export function pastEnd(
  past: PastRollout,
  outcome: RolloutOutcome,
  nowEpochMs: number,
  isRecalled = false,
): AttemptTransition {
  const { inputId, sessionId, invocationId, resultKey, submittedAtMs, state } = past;
  const settledAtMs = state.phase === 'settled' ? state.settledAtMs : nowEpochMs;
  const timings = unwatchedTimings(submittedAtMs, settledAtMs - submittedAtMs);
  const facts = { inputId, sessionId, invocationId, resultKey, timings };
  return { type: 'unrun', facts, outcome, isRecalled };
}

/** The timings of an attempt that this process did not run. */
export function unwatchedTimings(submittedAtMs: number, settledMs: number): RolloutTimings {
  const unknown = { acceptedMs: undefined, noticedMs: undefined, stoppedMs: undefined };
  return { ...unknown, submittedAtMs, settledMs };
}
