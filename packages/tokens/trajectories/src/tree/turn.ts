import type { Capture } from '../captures/capture.ts';

/**
 * Why a turn does not train.
 * - `incomplete`, `partial`, `text_only`: what the capture says of it.
 * - `empty`: nothing was sampled.
 * - `no_logprobs`, `bad_logprobs`: there is not a finite logprob <= 0 for each token.
 * - `constrained`: it was sampled under a grammar, and its logprobs are not those of the model.
 * - `abandoned`: the agent continued from another answer to the same prompt.
 * - `not_chosen`: the trainer chose other agents; nothing else is asked of such a turn.
 */
export type MaskReason =
  | 'incomplete'
  | 'partial'
  | 'text_only'
  | 'empty'
  | 'no_logprobs'
  | 'bad_logprobs'
  | 'constrained'
  | 'abandoned'
  | 'not_chosen';

/** A capture as a turn of a trajectory. */
export interface Turn {
  readonly capture: Capture;
  /** Its place among the session's captures, from 0. */
  readonly index: number;
  /** Undefined for a turn that trains. */
  readonly masked: Exclude<MaskReason, 'abandoned'> | undefined;
  /** Why it is not chosen to train; undefined for a turn that is. */
  readonly notChosen: string | undefined;
}

/** Rules about a turn beside its capture. */
export interface TurnRules {
  /** True if one may train that was sampled under a grammar. */
  trainConstrained: boolean;
  /** Why it is not chosen to train; undefined where it is. */
  notChosen: string | undefined;
}

/** Judges whether a capture may train. */
export function toTurn(capture: Capture, index: number, { trainConstrained, notChosen }: TurnRules): Turn {
  const isConstrained = !trainConstrained && (capture.constraints ?? []).length > 0;
  const masked = maskOf(capture) ?? (isConstrained ? 'constrained' : undefined);
  return { capture, index, masked: notChosen === undefined ? masked : 'not_chosen', notChosen };
}

function maskOf(capture: Capture): Turn['masked'] {
  if (capture.status !== 'complete') return capture.status;
  if (capture.completionTokenIds.length === 0) return 'empty';
  if (capture.logprobs === undefined) return 'no_logprobs';
  if (capture.logprobs.length !== capture.completionTokenIds.length) return 'bad_logprobs';
  return capture.logprobs.every((logprob) => Number.isFinite(logprob) && logprob <= 0)
    ? undefined
    : 'bad_logprobs';
}
