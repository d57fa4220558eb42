import { begunLength, firstOf } from '../parsers/marks.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';

/** The completion without the token that ended it, for parsers; special tokens in its midst stay. */
export function withoutStopToken(
  ids: readonly number[],
  finish: SampleFinish | undefined,
  stops: ReadonlySet<number>,
): Int32Array {
  const last = ids.at(-1);
  const isStop = last !== undefined && (stops.has(last) || finish?.matched === last);
  return Int32Array.from(isStop ? ids.slice(0, -1) : ids);
}

/** The text without the stop text that ended it, as the chat wire has it. */
export function withoutStopText(text: string, finish: SampleFinish | undefined): string {
  const matched = finish?.matched;
  if (typeof matched !== 'string' || matched === '') return text;
  const at = text.lastIndexOf(matched);
  return at < 0 ? text : text.slice(0, at);
}

/** The text before the first of the stop texts in it, for engines that do not say which it was. */
export function cutAtStopText<T extends string | null>(text: T, stops: readonly string[]): T | string {
  if (text === null) return text;
  return text.slice(0, firstOf(stops, text));
}

/** Gives out text as it comes, but for what may turn out to be the beginning of a stop text. */
export class StopTextGuard {
  readonly #stops: readonly string[];
  #held = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  push(text: string): string {
    const all = this.#held + text;
    const whole = firstOf(this.#stops, all) ?? all.length;
    const hold = Math.max(all.length - whole, begunLength(all, this.#stops));
    this.#held = all.slice(all.length - hold);
    return all.slice(0, all.length - hold);
  }

  finish(finish: SampleFinish | undefined): string {
    return withoutStopText(this.#held, finish);
  }
}

// The first of all tokens, and the one before each body, in the vocabulary `o200k_harmony` of gpt-oss.
const start = 200_006;
const message = 200_008;

/**
 * Whether the token that ended an answer belongs to what parsers see. Only that of gpt-oss does: `<|call|>` makes a message
 * a call. Told from the prompt, as there is no tokenizer to ask.
 */
export function keepsStopToken(promptIds: Int32Array): boolean {
  return promptIds[0] === start && promptIds.includes(message);
}
