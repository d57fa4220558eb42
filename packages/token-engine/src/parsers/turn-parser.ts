import { parseHarmonyTurn } from './harmony-turn.ts';
import {
  findReasoningParser,
  findToolParser,
  type NamedReasoningParser,
  type NamedToolParser,
} from './parser-names.ts';
import type { ParsedTurn, TurnContext } from './parsed-turn.ts';
import { ToolSchemas } from './tool-schemas.ts';
import { TurnStream } from './turn-stream.ts';

export interface TurnParserOptions {
  /** How the model writes tool calls, by the names of SGLang or vLLM. @default none: calls stay text */
  toolCallParser?: string | undefined;
  /** How it marks reasoning. @default none: reasoning stays text */
  reasoningParser?: string | undefined;
}

/** Takes a model's answer apart. Never throws and never loses text: what does not fit the format is content. */
export class TurnParser {
  readonly #tools: NamedToolParser | undefined;
  readonly #reasoning: NamedReasoningParser | undefined;

  /** @throws ArtError `ART_INVALID_OPTION` for a name that there is no parser for */
  constructor(options: TurnParserOptions = {}) {
    this.#tools = options.toolCallParser === undefined ? undefined : findToolParser(options.toolCallParser);
    this.#reasoning =
      options.reasoningParser === undefined ? undefined : findReasoningParser(options.reasoningParser);
  }

  /** Whether anything is looked for in an answer. */
  isActiveFor(context: TurnContext): boolean {
    return this.#reasoning !== undefined || (this.#tools !== undefined && hasTools(context));
  }

  /**
   * Takes an answer apart while it is written. Undefined where the format can only be read as a whole.
   * A tag that closes reasoning which nothing has opened is content here, since what precedes it is out by then.
   */
  openStream(context: TurnContext = {}): TurnStream | undefined {
    const reasoning = this.#reasoning;
    const tools = hasTools(context) ? this.#tools : undefined;
    if (reasoning === 'harmony' || tools === 'harmony') return undefined;
    const { promptEnd = '' } = context;
    return new TurnStream({ reasoning, tools, schemas: new ToolSchemas(context.tools), promptEnd });
  }

  /** @param text the answer with its special tokens, without the one that ended it */
  parse(text: string, context: TurnContext = {}): ParsedTurn {
    const reasoning = this.#reasoning;
    // Here it is known whether reasoning ends, also where nothing has opened it.
    const isInside = reasoning !== undefined && reasoning !== 'harmony' && text.includes(reasoning.close);
    const stream = this.openStream(isInside ? { ...context, promptEnd: reasoning.open } : context);
    if (stream === undefined) {
      const wantsCalls = this.#tools !== undefined && hasTools(context);
      return parseHarmonyTurn(text, wantsCalls) ?? asWritten(text);
    }
    stream.push(text);
    const { parsed } = stream.finish();
    if (parsed.illFormed) return asWritten(text);
    // Blanks around calls belong to the format. A stream has given out those at the beginning by then.
    return parsed.toolCalls.length === 0 ? parsed : { ...parsed, content: parsed.content?.trim() || null };
  }
}

function hasTools(context: TurnContext): boolean {
  return context.tools !== undefined && !/^\s*\[\s*\]\s*$/.test(context.tools);
}

function asWritten(text: string): ParsedTurn {
  return { content: text, reasoning: null, toolCalls: [], illFormed: true };
}
