import { jsonCalls } from './json-call.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolParser } from './tool-parser.ts';

/** `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`: Hermes, Qwen 2.5 and Qwen 3. */
export const hermesTools: ToolParser = (text) => {
  const sections = cutTaggedSections(text, '<tool_call>', '</tool_call>');
  if (sections === undefined) return undefined;
  const calls = sections.inside.map((body) => jsonCalls(body.trim()));
  if (!calls.every((call) => call !== undefined)) return undefined;
  return { content: sections.outside, calls: calls.flat() };
};
