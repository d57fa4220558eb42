import { ArtError, joinSentences } from '@art/ground';
import { type InvocationState } from '@art/protocol';
import { type ResultLocation, StoreError } from '@art/store';

/** The error for an answer that says that no process works on a rollout any more. */
export function lostSessionError(
  sessionId: string,
  state: Extract<InvocationState, { status: 'interrupted' | 'not_found' }>,
): ArtError {
  const problem =
    state.status === 'interrupted'
      ? 'the process that worked on the rollout died before it had ended, and another one answers in its place'
      : 'whatever answers for it now has never heard of the rollout: a fresh machine in place of one that died';
  const cause = state.reason ?? 'Its log tells why: a crash, a kill, or memory that ran out.';
  return new ArtError({
    code: 'ART_ROLLOUT_LOST',
    message: `Session ${sessionId} ended without a result; ${problem}. ${cause}`,
  });
}

/** A session that fell over each time it was asked. */
export function crashedSessionError(sessionId: string, times: number, error: Error): ArtError {
  return new ArtError({
    code: 'ART_ROLLOUT_LOST',
    message: `Session ${sessionId} failed ${times} times in a row when it was asked for its result, the last time with: ${error.message}`,
    cause: error,
  });
}

/** The error of a rollout whose agent says that it cannot store the result. */
export function unsavedError(at: ResultLocation, told: string): StoreError {
  return new StoreError({
    operation: 'put',
    ...at,
    message: joinSentences(told, 'The agent says so; check that the role of the agent may write there'),
  });
}
