import { parseHarmonyTurn } from './harmony-turn.ts';
import { firstOf } from './marks.ts';
import { parsedTurn, type ParsedTurn, type TurnContext } from './parsed-turn.ts';
import {
  findReasoningFormat,
  findToolFormat,
  type NamedReasoningFormat,
  type NamedToolFormat,
} from './tool-formats.ts';
import type { ReasoningFormat, ToolFormat } from './tool-parser.ts';
import { ToolSchemas } from './tool-schemas.ts';

export interface TurnParserOptions {
  /** How the model writes tool calls, by the names of SGLang or vLLM. @default none: calls stay text */
  toolCallParser?: string | undefined;
  /** How it marks reasoning. @default none: reasoning stays text */
  reasoningParser?: string | undefined;
}

/** Takes a model's answer apart. Never throws and never loses text: what does not fit the format is content. */
export class TurnParser {
  readonly #tools: NamedToolFormat | undefined;
  readonly #reasoning: NamedReasoningFormat | undefined;

  /** @throws ArtError `ART_INVALID_OPTION` for a name that there is no format for */
  constructor({ toolCallParser, reasoningParser }: TurnParserOptions = {}) {
    this.#tools = toolCallParser === undefined ? undefined : findToolFormat(toolCallParser);
    this.#reasoning = reasoningParser === undefined ? undefined : findReasoningFormat(reasoningParser);
  }

  /** True if anything is looked for in an answer. */
  isActiveFor(context: TurnContext): boolean {
    return this.#reasoning !== undefined || (this.#tools !== undefined && hasTools(context));
  }

  /** @param text the answer with its special tokens, without the one that ended it */
  parse(text: string, context: TurnContext = {}): ParsedTurn {
    const reasoningFormat = this.#reasoning;
    const toolFormat = hasTools(context) ? this.#tools : undefined;
    if (reasoningFormat === 'harmony' || toolFormat === 'harmony') {
      return parseHarmonyTurn(text, toolFormat !== undefined) ?? asWritten(text);
    }
    const { reasoning, rest } = cutReasoning(text, reasoningFormat, context.promptEnd ?? '');
    const said = toolFormat && cutCalls(rest, toolFormat, new ToolSchemas(context.tools));
    if (said === 'malformed') return asWritten(text);
    return parsedTurn({ content: said?.content ?? rest, reasoning }, said?.calls);
  }
}

/** Separates what was thought from what was said. */
function cutReasoning(
  text: string,
  format: ReasoningFormat | undefined,
  promptEnd: string,
): { reasoning: string; rest: string } {
  if (format === undefined) return { reasoning: '', rest: text };
  const { open, close, startsInside, impliedEnds = [] } = format;
  const isOpened = text.trimStart().startsWith(open);
  // Where only the close is there, the template has opened it.
  const isInside = startsInside || promptEnd.trimEnd().endsWith(open) || text.includes(close) || isOpened;
  if (!isInside) return { reasoning: '', rest: text };
  const inside = isOpened ? text.trimStart().slice(open.length) : text;
  const end = inside.indexOf(close);
  // It was never closed: the call in it was one.
  const cut = end >= 0 ? end : (firstOf(impliedEnds, inside) ?? inside.length);
  const rest = inside.slice(end >= 0 ? cut + close.length : cut);
  const reasoning = inside.slice(0, cut).replace(/^[\r\n]+|[\r\n]+$/g, '');
  return { reasoning, rest: rest.replace(/^[\r\n]+/, '') };
}

/** Separates calls from the words around them; undefined where there is no call. */
function cutCalls(
  text: string,
  { parse, marks, openingMarks = [] }: ToolFormat,
  schemas: ToolSchemas,
): ReturnType<ToolFormat['parse']> | 'malformed' {
  const opens = openingMarks.some((mark) => text.trimStart().startsWith(mark));
  const at = opens ? 0 : firstOf(marks, text);
  if (at === undefined) return undefined;
  const parsed = parse(text.slice(at).trimStart(), schemas);
  if (parsed === undefined) return 'malformed';
  if (parsed.calls.length === 0) return undefined;
  // Blanks around calls belong to the format.
  const around = [text.slice(0, at), parsed.content].map((part) => part.trim());
  return { content: around.filter((part) => part !== '').join('\n'), calls: parsed.calls };
}

function hasTools(context: TurnContext): boolean {
  return context.tools !== undefined && !/^\s*\[\s*\]\s*$/.test(context.tools);
}

function asWritten(text: string): ParsedTurn {
  return { content: text, reasoning: null, toolCalls: [], illFormed: true };
}
