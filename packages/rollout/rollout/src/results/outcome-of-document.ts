import { ArtError, isJsonObject } from '@art/ground';
import {
  infrastructureStop,
  type InvocationState,
  isSuccessDocument,
  parseResultDocument,
  readReward,
  type ResultDocument,
  type RolloutOutcome,
  unreachableField,
} from '@art/protocol';
import { unreachableOutcome } from '../lifecycle/unreachable-endpoint.ts';
import { lostSessionError } from '../sessions/lost-session-error.ts';

/** The outcome of the rollout that a stored text describes. */
export function outcomeOfText(text: string): RolloutOutcome {
  try {
    return outcomeOfDocument(parseResultDocument(text));
  } catch (error) {
    return { kind: 'invalid_result', error: error as ArtError, text };
  }
}

/** The outcome of the rollout that a document describes. */
function outcomeOfDocument(document: ResultDocument): RolloutOutcome {
  if (isSuccessDocument(document)) {
    const reading = readReward(document);
    return 'problem' in reading
      ? { kind: 'ok', document, reward: undefined, rewardProblem: reading.problem }
      : { kind: 'ok', document, reward: reading.reward };
  }
  const { status_code: status, stop_reason: reason = 'no stop_reason given' } = document;
  // What our server stores for a handler that it had to cut short says nothing of the agent.
  if (status === 503 && reason === 'terminated') {
    const error = new ArtError({
      code: 'ART_ROLLOUT_LOST',
      message:
        'The session was ended before the rollout had finished: by its idle timeout or maximum lifetime, by a stop from elsewhere, or because it did not answer its health checks.',
    });
    return { kind: 'lost', error, document };
  }
  if (status === infrastructureStop.status_code && reason === infrastructureStop.stop_reason) {
    const { message, [unreachableField]: unreachable } = document;
    if (typeof unreachable === 'string')
      return unreachableOutcome(document, typeof message === 'string' ? message : unreachable);
    const error = new ArtError({
      code: 'ART_INFRASTRUCTURE_ERROR',
      message: `The infrastructure of the agent failed: ${typeof message === 'string' ? message : 'its document does not say which.'}`,
    });
    return { kind: 'infra_error', document, error };
  }
  if (status === 504 && reason === 'timeout') {
    const error = new ArtError({
      code: 'ART_ROLLOUT_TIMEOUT',
      message: 'The agent ended the rollout: it took longer than the maxRolloutMs of its server.',
    });
    return { kind: 'timeout', error, document };
  }
  return {
    kind: 'agent_error',
    document,
    error: new ArtError({
      code: 'ART_AGENT_ERROR',
      message: `The agent failed with status ${status}: ${typeof reason === 'string' ? reason : 'no stop_reason given'}`,
    }),
  };
}

/**
 * The outcome of a rollout whose invocation has ended. An object is judged as a document of a store is; any other
 * result becomes the document `{ result }`, an error the document of a handler that failed.
 */
export function outcomeOfState(
  sessionId: string,
  state: Exclude<InvocationState, { status: 'in_progress' }>,
): RolloutOutcome {
  if (state.status !== 'completed') return { kind: 'lost', error: lostSessionError(sessionId, state) };
  const beside = state.unreachable === undefined ? {} : { [unreachableField]: state.unreachable };
  if (state.error !== undefined) {
    const { error, failure = { statusCode: 500, stopReason: error } } = state;
    return outcomeOfDocument({
      status_code: failure.statusCode,
      stop_reason: failure.stopReason,
      message: error,
      ...beside,
    });
  }
  const { result } = state;
  return outcomeOfDocument({ ...(isJsonObject(result) ? result : { result }), ...beside });
}
