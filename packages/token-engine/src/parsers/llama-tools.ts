import { endOfJson, jsonCall, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { tryLiteral } from './python-literal.ts';
import { joinOutside } from './tagged-sections.ts';
import type { ToolFormat, ToolParse } from './tool-parser.ts';

const tag = '<|python_tag|>';

/** What an object begins with that may be a call. */
const callStart = {
  whole: /\{\s*"(?:name|type|function|parameters|arguments)"\s*:/,
  begun: /\{\s*(?:"[a-z]*(?:"\s*)?)?$/,
};

/** `{"name": ..., "parameters": {...}}`, several parted by `;`, after a tag or at the beginning of the answer: Llama 3. */
export const llamaTools: ToolFormat = {
  parse: (text) => afterTag(text, leadingOrNone),
  marks: [tag],
  openingMarks: ['{'],
};

/** The same, and a call may stand anywhere between words, as vLLM has it. */
export const llamaToolsAnywhere: ToolFormat = {
  parse: (text) => afterTag(text, callsAnywhere),
  marks: [tag],
  pattern: callStart,
};

function leadingOrNone(text: string): ToolParse | undefined {
  const body = text.trimStart();
  if (!body.startsWith('{')) return { content: text, calls: [] };
  return leadingCalls(body, isCall) ?? (isSpoilt(body) ? undefined : { content: text, calls: [] });
}

function callsAnywhere(text: string): ToolParse | undefined {
  const around: string[] = [];
  const calls: ParsedToolCall[] = [];
  let from = 0;
  for (const { index } of text.matchAll(new RegExp(callStart.whole, 'g'))) {
    if (index < from) continue;
    const found = callsAt(text, index, isCall);
    if (found.calls.length === 0) {
      // Meant as a call from its first word, and none.
      if (calls.length === 0 && around.length === 0 && isSpoilt(text.slice(index))) return undefined;
      continue;
    }
    around.push(text.slice(from, index));
    calls.push(...found.calls);
    from = found.end;
  }
  return calls.length === 0
    ? { content: text, calls }
    : { content: joinOutside([...around, text.slice(from)]), calls };
}

function afterTag(text: string, untagged: (text: string) => ToolParse | undefined): ToolParse | undefined {
  const at = text.indexOf(tag);
  if (at < 0) return untagged(text);
  // After the tag nothing but a call can be meant, also where it has no arguments.
  const parse = leadingCalls(text.slice(at + tag.length).trimStart(), () => true);
  const content = joinOutside([text.slice(0, at), parse?.content ?? '']);
  return parse && { content, calls: parse.calls };
}

function leadingCalls(body: string, accepts: (text: string) => boolean): ToolParse | undefined {
  const { calls, end } = callsAt(body, 0, accepts);
  return calls.length === 0 ? undefined : { content: body.slice(end).trim(), calls };
}

/** The calls that follow each other from `start` on, and where they end. */
function callsAt(
  text: string,
  start: number,
  accepts: (text: string) => boolean,
): { calls: ParsedToolCall[]; end: number } {
  const calls: ParsedToolCall[] = [];
  let end = start;
  for (let at = start; text[at] === '{';) {
    const until = endOfJson(text, at);
    const object = until === undefined ? '' : text.slice(at, until);
    const call = accepts(object) ? readCall(object) : undefined;
    if (until === undefined || call === undefined) break;
    calls.push(call);
    end = until;
    at = until + (/^[\s;,]*/.exec(text.slice(until))?.[0].length ?? 0);
  }
  return { calls, end };
}

function readCall(object: string): ParsedToolCall | undefined {
  const value = tryLiteral(object);
  return value === undefined ? undefined : jsonCall(value);
}

// An answer in JSON may have a name as well. What makes it a call are the arguments.
function isCall(object: string): boolean {
  const value = tryLossless(object);
  return value instanceof Map && (value.has('parameters') || value.has('arguments'));
}

function isSpoilt(body: string): boolean {
  const end = endOfJson(body, 0);
  const isJson = end !== undefined && tryLossless(body.slice(0, end)) !== undefined;
  return !isJson && /^\{\s*"name"\s*:/.test(body);
}
