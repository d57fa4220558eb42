import type { LosslessObject } from '../tokens/lossless-json.ts';
import { endOfFirstJson, jsonArguments, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ToolFormat } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

const plural = taggedFormat({
  section: ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  call: ['<|tool_call_begin|>', '<|tool_call_end|>'],
  endOfInside: (text, from) => endOfFirstJson(text, from, '<|tool_call_end|>'),
  read: kimiCall,
});

/**
 * `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{...}<|tool_call_end|>` inside a section: Kimi K2. The id
 * is part of the format, and the template wants it back. Some checkpoints have the section in the singular.
 */
export const kimiTools: ToolFormat = {
  parse: (text, schemas) =>
    plural.parse(text.replace(/<\|tool_call_section_(begin|end)\|>/g, '<|tool_calls_section_$1|>'), schemas),
  marks: [...plural.marks, '<|tool_call_section_begin|>', '<|tool_call_section_end|>'],
};

function kimiCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const separator = '<|tool_call_argument_begin|>';
  const at = body.indexOf(separator);
  const id = body.slice(0, at).trim();
  const value = at < 0 ? undefined : tryLossless(body.slice(at + separator.length).trim());
  if (!(value instanceof Map)) return undefined;
  const name = toolName(id, value, schemas);
  return name === undefined ? undefined : { id, name, arguments: jsonArguments(value) ?? '{}' };
}

// The number that ends an id belongs to the format: without it only the name of a tool is one. It may also stand alone.
function toolName(id: string, args: LosslessObject, schemas: ToolSchemas): string | undefined {
  if (/^\d+$/.test(id)) return schemas.onlyToolWith(args.keys());
  const [, name, number] = /^(?:functions\.)?([^\s:]+)(:\d+)?$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  return number !== undefined || schemas.has(name) ? name : undefined;
}
