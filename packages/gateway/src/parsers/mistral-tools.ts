import { jsonArguments, jsonCalls, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { endOfObject } from './split-json-objects.ts';
import type { ToolParser } from './tool-parser.ts';

const tag = '[TOOL_CALLS]';

/**
 * `[TOOL_CALLS][{"name": ..., "arguments": {...}}]`, or in newer models `[TOOL_CALLS]name[CALL_ID]id[ARGS]{...}` for each
 * call: Mistral.
 */
export const mistralTools: ToolParser = (text) => {
  const at = text.indexOf(tag);
  if (at < 0) return { content: text, calls: [] };
  const content = text.slice(0, at).trim();
  const body = text.slice(at + tag.length).trim();
  const calls = body.startsWith('[') ? jsonCalls(body) : namedCalls(body);
  return calls === undefined ? undefined : { content, calls };
};

const head = /^([^\s{[]+)\s*(?:\[CALL_ID\]([^[{]*))?(?:\[ARGS\])?\s*/;

function namedCalls(body: string): ParsedToolCall[] | undefined {
  const calls: ParsedToolCall[] = [];
  let rest = body;
  while (rest !== '') {
    const match = head.exec(rest);
    const name = match?.[1];
    if (match === null || name === undefined) return undefined;
    const end = endOfObject(rest, match[0].length);
    const args = end === undefined ? undefined : tryLossless(rest.slice(match[0].length, end));
    if (!(args instanceof Map)) return undefined;
    const id = match[2]?.trim();
    calls.push({ ...(id ? { id } : {}), name, arguments: jsonArguments(args) ?? '{}' });
    rest = rest.slice(end).trim();
    if (rest.startsWith(tag)) rest = rest.slice(tag.length).trim();
    else if (rest !== '') return undefined;
  }
  return calls.length === 0 ? undefined : calls;
}
