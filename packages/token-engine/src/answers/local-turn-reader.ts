import { nothingSaid, type ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnParser } from '../parsers/turn-parser.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';
import { stopIds, stopTexts } from '../sampling/sampling-params.ts';
import type { Tokenization } from '../prompts/tokenization.ts';
import type { CallContext } from '../calls/chat-call.ts';
import type { AnswerStream, TurnReader } from './turn-reader.ts';
import { TurnTextStream } from './turn-text-stream.ts';
import { withoutStopText, withoutStopToken } from './turn-text.ts';

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
