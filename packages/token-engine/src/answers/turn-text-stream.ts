import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnDelta, TurnStream } from '../parsers/turn-stream.ts';
import type { StreamDecoder } from '../tokens/stream-decoder.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import { StopTextGuard, withoutStopToken } from './turn-text.ts';

export interface TurnTextStreamOptions {
  decoder: StreamDecoder;
  /** Takes the text apart. */
  parts: TurnStream;
  stopTexts: readonly string[];
  /** Tokens that end an answer, and tokens that may turn out to have ended it. */
  stopTokens: ReadonlySet<number>;
  specialTokens: ReadonlySet<number>;
}

/** From sampled tokens to what an agent is shown: decoded, without what ended the answer, taken apart. */
export class TurnTextStream {
  readonly #options: TurnTextStreamOptions;
  readonly #guard: StopTextGuard;
  /** A token that may be the one that ends the answer. */
  #held: number | undefined;

  constructor(options: TurnTextStreamOptions) {
    this.#options = options;
    this.#guard = new StopTextGuard(options.stopTexts);
  }

  push(ids: readonly number[]): TurnDelta {
    const { decoder, parts } = this.#options;
    const all = this.#held === undefined ? ids : [this.#held, ...ids];
    const last = all.at(-1);
    this.#held = last !== undefined && this.#mayEnd(last) ? last : undefined;
    const certain = this.#held === undefined ? all : all.slice(0, -1);
    return parts.push(this.#guard.push(decoder.push(certain)));
  }

  finish(finish: SampleFinish | undefined): TurnDelta & { parsed: ParsedTurn } {
    const { decoder, parts, stopTokens } = this.#options;
    const held = this.#held === undefined ? [] : [this.#held];
    const rest = withoutStopToken(held, finish, stopTokens);
    const late = this.#guard.push(decoder.push(rest));
    const text = late + this.#guard.push(decoder.finish()) + this.#guard.finish(finish);
    const before = parts.push(text);
    const { content, reasoning, parsed } = parts.finish();
    return { content: before.content + content, reasoning: before.reasoning + reasoning, parsed };
  }

  #mayEnd(id: number): boolean {
    return this.#options.stopTokens.has(id) || this.#options.specialTokens.has(id);
  }
}
