import type { Trace } from '../traces/trace.ts';

/**
 * Why a turn does not train.
 * - `incomplete`, `partial`, `text_only`: what the capture says of it.
 * - `empty`: nothing was sampled.
 * - `no_logprobs`, `bad_logprobs`: there is not a finite logprob <= 0 for each token.
 * - `constrained`: it was sampled under a grammar, and its logprobs are not those of the model.
 * - `abandoned`: the agent went on from another answer to the same prompt.
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

/** A trace as a turn of a trajectory. */
export interface Turn {
  readonly trace: Trace;
  /** Its place among the session's traces, from 0. */
  readonly index: number;
  /** Undefined for a turn that trains. */
  readonly masked: Exclude<MaskReason, 'abandoned'> | undefined;
  /** Why it is not chosen to train; undefined for a turn that is. */
  readonly notChosen: string | undefined;
}

/** Rules about a turn beside its trace. */
export interface TurnRules {
  /** True if one may train that was sampled under a grammar. */
  trainConstrained: boolean;
  /** Why it is not chosen to train; undefined where it is. */
  notChosen: string | undefined;
}

/** Judges whether a trace may train. */
export function toTurn(trace: Trace, index: number, { trainConstrained, notChosen }: TurnRules): Turn {
  const isConstrained = !trainConstrained && (trace.constraints ?? []).length > 0;
  const masked = maskOf(trace) ?? (isConstrained ? 'constrained' : undefined);
  return { trace, index, masked: notChosen === undefined ? masked : 'not_chosen', notChosen };
}

function maskOf(trace: Trace): Turn['masked'] {
  if (trace.capture !== 'complete') return trace.capture;
  if (trace.completionTokenIds.length === 0) return 'empty';
  if (trace.logprobs === undefined) return 'no_logprobs';
  if (trace.logprobs.length !== trace.completionTokenIds.length) return 'bad_logprobs';
  return trace.logprobs.every((logprob) => Number.isFinite(logprob) && logprob <= 0)
    ? undefined
    : 'bad_logprobs';
}
