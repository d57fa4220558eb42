import {
  ArtError,
  joinSentences,
  reachAdvice,
  type ResultDocument,
  type RolloutOutcome,
  unreachableField,
} from '@art/protocol';
import type { RolloutCapture } from './rollout-capture.ts';
import type { RolloutDeps, RolloutListener } from './rollout-deps.ts';

/**
 * The outcome of a rollout whose agent returned a result, though its machine cannot reach the model endpoint: that counts only where a call was
 * captured all the same. Any other outcome is left as it is.
 */
export async function confirmedOutcome(
  outcome: RolloutOutcome,
  capture: RolloutCapture | undefined,
  signal: AbortSignal,
): Promise<RolloutOutcome> {
  const told = outcome.kind === 'ok' ? outcome.document[unreachableField] : undefined;
  if (outcome.kind !== 'ok' || typeof told !== 'string') return outcome;
  try {
    if ((await capture?.hasCalls(signal)) === true) return outcome;
  } catch {
    // A gateway that cannot be asked here either is no word for the result.
  }
  return unreachableOutcome(outcome.document, told);
}

/** The outcome of a rollout whose agent could not reach its model, whatever it made of that. */
export function unreachableOutcome(document: ResultDocument, told: string): RolloutOutcome {
  const error = new ArtError({
    code: 'ART_ENDPOINT_UNREACHABLE',
    message: joinSentences(told, reachAdvice),
  });
  return { kind: 'infra_error', document, error };
}

/** Passes events on, and warns of the first rollout whose agent cannot reach its model: all others will fail alike, after their retries. */
export function warnsOfEndpoint({ emit, warn }: Pick<RolloutDeps, 'emit' | 'warn'>): RolloutListener {
  let hasWarned = false;
  return (event) => {
    const error =
      event.type === 'settled' && event.outcome.kind === 'infra_error' ? event.outcome.error : undefined;
    if (!hasWarned && error?.code === 'ART_ENDPOINT_UNREACHABLE') {
      hasWarned = true;
      warn(error.message);
    }
    emit(event);
  };
}
