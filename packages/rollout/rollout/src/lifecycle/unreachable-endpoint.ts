import { ArtError, joinSentences, reachAdvice } from '@art/ground';
import { type ResultDocument, type RolloutOutcome, unreachableField } from '@art/protocol';
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

/** Warns of the first rollout whose agent cannot reach its model: all others will fail alike, after their retries. */
export class EndpointWarning {
  readonly #warn: RolloutDeps['warn'];
  #hasWarned = false;

  constructor(warn: RolloutDeps['warn']) {
    this.#warn = warn;
  }

  /** An agent says while it works that it cannot reach its model: its calls may wait for minutes before it gives up. */
  told(unreachable: string): void {
    this.#once(joinSentences(unreachable, reachAdvice));
  }

  /** Passes events on. */
  listen(emit: RolloutListener): RolloutListener {
    return (event) => {
      const error =
        event.type === 'settled' && event.outcome.kind === 'infra_error' ? event.outcome.error : undefined;
      if (error?.code === 'ART_ENDPOINT_UNREACHABLE') this.#once(error.message);
      emit(event);
    };
  }

  #once(message: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(message);
  }
}
