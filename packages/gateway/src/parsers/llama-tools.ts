import { jsonCalls } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { splitJsonObjects } from './split-json-objects.ts';
import type { ToolParser } from './tool-parser.ts';

const tag = '<|python_tag|>';

/** `{"name": ..., "parameters": {...}}`, several parted by `;`, after a tag or as the whole answer: Llama 3. */
export const llamaTools: ToolParser = (text) => {
  const at = text.indexOf(tag);
  const body = (at < 0 ? text : text.slice(at + tag.length)).trim();
  if (at < 0 && !body.startsWith('{')) return { content: text, calls: [] };
  const calls = callsOf(body);
  if (calls !== undefined) return { content: at < 0 ? '' : text.slice(0, at).trim(), calls };
  // An answer in JSON that does not look like a call is an answer.
  return at < 0 && !/^\{\s*"name"\s*:/.test(body) ? { content: text, calls: [] } : undefined;
};

function callsOf(body: string): ParsedToolCall[] | undefined {
  const calls = splitJsonObjects(body)?.map(jsonCalls);
  if (calls === undefined || calls.length === 0) return undefined;
  return calls.every((call) => call !== undefined) ? calls.flat() : undefined;
}
