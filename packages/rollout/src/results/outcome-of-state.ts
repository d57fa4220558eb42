import { isJsonObject, type InvocationState, type RolloutOutcome } from '@art/protocol';
import { outcomeOfDocument } from './outcome-of-document.ts';
import { lostSession } from '../sessions/lost-session.ts';

/**
 * What an invocation that is not in progress any more says about its rollout. An object is the document, judged as one in a
 * store is; any other result becomes the document `{ result }`, an error the document of a handler that failed.
 */
export function outcomeOfState(
  sessionId: string,
  state: Exclude<InvocationState, { status: 'in_progress' }>,
): RolloutOutcome {
  if (state.status !== 'completed') return { kind: 'lost', error: lostSession(sessionId, state) };
  if (state.error !== undefined) {
    const { error, failure = { statusCode: 500, stopReason: error } } = state;
    return outcomeOfDocument({
      status_code: failure.statusCode,
      stop_reason: failure.stopReason,
      message: error,
    });
  }
  const { result } = state;
  if (!isJsonObject(result)) return outcomeOfDocument({ result });
  return outcomeOfDocument(result);
}
