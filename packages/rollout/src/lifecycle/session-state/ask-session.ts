import {
  ArtError,
  parseSessionState,
  RuntimeError,
  sessionStateQuestion,
  type AgentRuntime,
  type SessionStateName,
} from '@art/protocol';
import type { Clock } from '../../clock.ts';
import type { RolloutAddress } from '../../rollout-request.ts';

export interface AskSessionParts {
  runtime: AgentRuntime;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * - `died`: the session fell over while it was being asked; the next question reaches a fresh machine.
 * - `silent`: no answer for now, which says nothing about the session.
 * - `mute`: whatever answers does not understand the question; it must not be asked again.
 */
export type SessionAnswer = SessionStateName | 'died' | 'silent' | 'mute';

const answerTimeoutMs = 30_000;

/** Asks the session of a rollout what has become of it, through its own route. Never throws. */
export async function askSession(
  { sessionId, bucket, resultKey, attemptId }: RolloutAddress,
  { runtime, clock, signal }: AskSessionParts,
): Promise<SessionAnswer> {
  const late = new AbortController();
  const cancel = clock.after(answerTimeoutMs, () => late.abort(new Error('no answer in time')));
  try {
    const answer = await runtime.invoke(
      { sessionId, body: sessionStateQuestion({ bucket, resultKey, attemptId }) },
      { signal: AbortSignal.any([signal, late.signal]) },
    );
    const { state, attemptId: answered } = parseSessionState(answer.body);
    return answered === attemptId ? state : 'mute';
  } catch (error) {
    if (RuntimeError.isInstance(error)) {
      // A session that had to be started, and did not, was gone before.
      const isGone = error.delivery === 'delivered' || error.code === 'ART_RUNTIME_START_FAILED';
      return isGone ? 'died' : 'silent';
    }
    return ArtError.isInstance(error) && error.code === 'ART_INVALID_REPLY' ? 'mute' : 'silent';
  } finally {
    cancel();
  }
}
