import { endOfJson, jsonCall, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { joinOutside } from './tagged-sections.ts';
import type { ToolFormat, ToolParse } from './tool-parser.ts';

const tag = '<|python_tag|>';

/** `{"name": ..., "parameters": {...}}`, several separated by `;`, after a tag or at the beginning of the answer: Llama 3. */
export const llamaTools: ToolFormat = {
  marks: [tag],
  openingMarks: ['{'],
  parse(text) {
    const at = text.indexOf(tag);
    if (at < 0) return leadingOrNone(text.trimStart());
    // After the tag nothing but a call can be meant, also where it has no arguments.
    const parse = leadingCalls(text.slice(at + tag.length).trimStart(), () => true);
    return parse && { content: joinOutside([text.slice(0, at), parse.content]), calls: parse.calls };
  },
};

function leadingOrNone(body: string): ToolParse | undefined {
  const none = { content: body, calls: [] };
  return body.startsWith('{') ? (leadingCalls(body, isCall) ?? (isSpoilt(body) ? undefined : none)) : none;
}

/** The calls that follow each other from the beginning on, and what is behind them. */
function leadingCalls(body: string, accepts: (text: string) => boolean): ToolParse | undefined {
  const calls: ParsedToolCall[] = [];
  let end = 0;
  for (let at = 0; body[at] === '{';) {
    const until = endOfJson(body, at);
    const object = until === undefined ? '' : body.slice(at, until);
    const value = accepts(object) ? tryLossless(object) : undefined;
    const call = value === undefined ? undefined : jsonCall(value);
    if (until === undefined || call === undefined) break;
    calls.push(call);
    end = until;
    at = until + (/^[\s;,]*/.exec(body.slice(until))?.[0].length ?? 0);
  }
  return calls.length === 0 ? undefined : { content: body.slice(end).trim(), calls };
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
