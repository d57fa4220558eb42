import type { CallContext } from '../calls/chat-call.ts';
import { nothingSaid, type ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnParser } from '../parsers/turn-parser.ts';
import type { TurnDelta, TurnStream } from '../parsers/turn-stream.ts';
import type { Tokenization } from '../prompts/tokenization.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';
import { stopIds, stopTexts } from '../sampling/sampling-params.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import type { StreamDecoder } from '../tokens/text-decoder.ts';
import type { AnswerStream, TurnReader } from './turn-reader.ts';
import { StopTextGuard, withoutStopText, withoutStopToken } from './turn-text.ts';

// Enough to hold the mark that opens reasoning.
const promptEndTokens = 16;

/** Reads answers with the parsers of this package, over text that the tokenization makes of the tokens. */
export class LocalTurnReader implements TurnReader {
  readonly #tokenization: Tokenization;
  readonly #parser: TurnParser;

  constructor(tokenization: Tokenization, parser: TurnParser) {
    this.#tokenization = tokenization;
    this.#parser = parser;
  }

  async openStream(context: CallContext): Promise<AnswerStream | undefined> {
    const { tools } = context.call;
    const isParsed = this.#parser.isActiveFor({ tools });
    const decoder = this.#tokenization.streamDecoder({ skipSpecialTokens: !isParsed });
    if (decoder === undefined) return undefined;
    const promptEnd = isParsed ? await this.#promptEnd(context) : '';
    const parts = this.#parser.openStream({ tools, promptEnd });
    return (
      parts &&
      new TurnTextStream({
        decoder,
        parts,
        stopTexts: stopTexts(context.call),
        stopTokens: this.#stops(context),
        specialTokens: this.#tokenization.specialTokenIds,
      })
    );
  }

  async read(turn: SampledTurn, context: CallContext): Promise<ParsedTurn> {
    const { tools } = context.call;
    const isParsed = this.#parser.isActiveFor({ tools });
    const ids = withoutStopToken(turn.ids, turn.finish, this.#stops(context));
    const text = withoutStopText(await this.#text(ids, !isParsed, context), turn.finish);
    return isParsed
      ? this.#parser.parse(text, { tools, promptEnd: await this.#promptEnd(context) })
      : { ...nothingSaid, content: text === '' ? null : text };
  }

  #promptEnd(context: CallContext): Promise<string> {
    return this.#text(context.promptIds.slice(-promptEndTokens), false, context);
  }

  #stops({ call }: CallContext): ReadonlySet<number> {
    return new Set([...this.#tokenization.stopTokenIds, ...stopIds(call)]);
  }

  #text(ids: Int32Array, skipSpecialTokens: boolean, context: CallContext): Promise<string> {
    return this.#tokenization.decode(ids, { skipSpecialTokens }, context);
  }
}

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
class TurnTextStream {
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
