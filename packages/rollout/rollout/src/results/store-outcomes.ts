import { ArtError, joinSentences, describeThrown } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import { StoreError, type ResultLocation } from '@art/store';

/**
 * The outcome of a rollout that is over while its store fails: nobody knows what the agent did, so nothing is said of it.
 * @param failure what the store failed with
 */
export function storeFailed(at: ResultLocation, failure: unknown): RolloutOutcome {
  const { code, retryable } = StoreError.isInstance(failure)
    ? failure
    : ({ code: 'ART_STORE_FAILED', retryable: true } as const);
  const said = describeThrown(failure).message;
  return {
    kind: 'infra_error',
    error: new StoreError({
      code,
      retryable,
      operation: 'get',
      ...at,
      message: joinSentences(
        said,
        'When the rollout was over the store could not be asked for its result. The agent may have stored one; once the store works, it is there, and a resume finds it',
      ),
      cause: failure,
    }),
  };
}

/** The outcome of a rollout whose result was noticed and could not be read for `giveUpMs`. */
export function unreadableResult(at: ResultLocation, giveUpMs: number, error: unknown): RolloutOutcome {
  return {
    kind: 'invalid_result',
    text: '',
    error: new ArtError({
      code: 'ART_STORE_FAILED',
      message: `The result ${JSON.stringify(at.key)} was seen in bucket ${JSON.stringify(at.bucket)} but could not be read for ${giveUpMs} ms: ${(error as Error).message}`,
      cause: error,
    }),
  };
}
