import { stringifyLossless, type LosslessObject } from '../tokens/lossless-json.ts';
import { argumentValue } from './argument-value.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolParser } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** `<tool_call>name <arg_key>k</arg_key><arg_value>v</arg_value></tool_call>`: GLM 4.5 and later. */
export const glmTools: ToolParser = (text, schemas) => {
  const sections = cutTaggedSections(text, '<tool_call>', '</tool_call>');
  // Of an answer that was cut off nobody knows what else the call would have said.
  if (sections?.isClosed !== true) return undefined;
  const calls = sections.inside.map((body) => glmCall(body, schemas));
  if (!calls.every((call) => call !== undefined)) return undefined;
  return { content: sections.outside, calls };
};

const argument = /\s*<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/y;

function glmCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const start = body.indexOf('<arg_key>');
  const name = (start < 0 ? body : body.slice(0, start)).trim();
  if (name === '' || /[\s<>]/.test(name)) return undefined;
  const members: LosslessObject = new Map();
  let at = start < 0 ? body.length : start;
  while (at < body.length) {
    argument.lastIndex = at;
    const match = argument.exec(body);
    const [, key, value] = match ?? [];
    if (key === undefined || value === undefined) return undefined;
    members.set(key.trim(), argumentValue(value, schemas.typesOf(name, key.trim())));
    at = argument.lastIndex;
  }
  return { name, arguments: stringifyLossless(members) };
}
