import { endOfJson, jsonArguments, jsonCalls, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { joinOutside } from './tagged-sections.ts';
import type { ToolFormat, ToolParse } from './tool-parser.ts';

const tag = '[TOOL_CALLS]';

/**
 * `[TOOL_CALLS][{"name": ..., "arguments": {...}}]`, or in newer models `[TOOL_CALLS]name[CALL_ID]id[ARGS]{...}` for each
 * call: Mistral.
 */
export const mistralTools: ToolFormat = { parse: mistralCalls, marks: [tag] };

function mistralCalls(text: string): ToolParse | undefined {
  const at = text.indexOf(tag);
  if (at < 0) return { content: text, calls: [] };
  const body = text.slice(at + tag.length).trim();
  const parse = body.startsWith('[') ? listedCalls(body) : namedCalls(body);
  if (parse === undefined || parse.content.includes(tag)) return undefined;
  return { content: joinOutside([text.slice(0, at), parse.content]), calls: parse.calls };
}

function listedCalls(body: string): ToolParse | undefined {
  const end = endOfJson(body, 0);
  const calls = end === undefined ? undefined : jsonCalls(body.slice(0, end));
  return calls && { content: body.slice(end), calls };
}

const head = /^([^\s{[]+)\s*(?:\[CALL_ID\]([^[{]*))?(?:\[ARGS\])?\s*/;

function namedCalls(body: string): ToolParse | undefined {
  const calls: ParsedToolCall[] = [];
  let rest = body;
  while (rest !== '') {
    const match = head.exec(rest);
    const name = match?.[1];
    if (match === null || name === undefined) return undefined;
    const end = rest[match[0].length] === '{' ? endOfJson(rest, match[0].length) : undefined;
    const args = end === undefined ? undefined : tryLossless(rest.slice(match[0].length, end));
    if (!(args instanceof Map)) return undefined;
    const id = match[2]?.trim();
    calls.push({ ...(id ? { id } : {}), name, arguments: jsonArguments(args) ?? '{}' });
    rest = rest.slice(end).trim();
    if (!rest.startsWith(tag)) return { content: rest, calls };
    rest = rest.slice(tag.length).trim();
  }
  return undefined;
}
