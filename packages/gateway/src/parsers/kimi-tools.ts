import { jsonArguments, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolParser } from './tool-parser.ts';

/**
 * `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{...}<|tool_call_end|>` inside a section: Kimi K2. The id
 * is part of the format, and the template wants it back.
 */
export const kimiTools: ToolParser = (text) => {
  const sections = cutTaggedSections(text, '<|tool_calls_section_begin|>', '<|tool_calls_section_end|>');
  if (sections === undefined) return undefined;
  const calls: ParsedToolCall[] = [];
  for (const section of sections.inside) {
    const bodies = cutTaggedSections(section, '<|tool_call_begin|>', '<|tool_call_end|>');
    if (bodies === undefined || bodies.inside.length === 0 || bodies.outside.trim() !== '') return undefined;
    for (const body of bodies.inside) {
      const call = kimiCall(body);
      if (call === undefined) return undefined;
      calls.push(call);
    }
  }
  return { content: sections.outside, calls };
};

function kimiCall(body: string): ParsedToolCall | undefined {
  const [id = '', args, ...more] = body.split('<|tool_call_argument_begin|>');
  const name = /^(?:functions\.)?([^\s:]+)(?::\d+)?$/.exec(id.trim())?.[1];
  const value = args === undefined ? undefined : tryLossless(args.trim());
  if (name === undefined || more.length > 0 || !(value instanceof Map)) return undefined;
  return { id: id.trim(), name, arguments: jsonArguments(value) ?? '{}' };
}
