import { jsonArguments, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolParse, ToolParser } from './tool-parser.ts';

/**
 * DeepSeek 3 writes `function<｜tool▁sep｜>name` and the arguments in a fenced block; 3.1 writes
 * `name<｜tool▁sep｜>{...}`. Both stand between the same tags, and either is understood.
 */
export const deepseekTools: ToolParser = (text) => {
  // The outer tags are left out now and then.
  if (!/<｜tool▁calls▁(?:begin|end)｜>/.test(text)) return callsIn(text);
  const sections = cutTaggedSections(text, '<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>');
  if (sections === undefined) return undefined;
  const calls: ParsedToolCall[] = [];
  for (const section of sections.inside) {
    const found = callsIn(section);
    if (found === undefined || found.calls.length === 0 || found.content.trim() !== '') return undefined;
    calls.push(...found.calls);
  }
  return { content: sections.outside, calls };
};

function callsIn(text: string): ToolParse | undefined {
  const bodies = cutTaggedSections(text, '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>');
  const calls = bodies?.inside.map(deepseekCall);
  if (bodies === undefined || !calls?.every((call) => call !== undefined)) return undefined;
  return { content: bodies.outside, calls };
}

const fenced = /^([^\n]+)\n```(?:json)?\n([\s\S]*?)\n?```\s*$/;

function deepseekCall(body: string): ParsedToolCall | undefined {
  const separator = '<｜tool▁sep｜>';
  const at = body.indexOf(separator);
  if (at < 0) return undefined;
  const before = body.slice(0, at).trim();
  const after = body.slice(at + separator.length);
  const block = fenced.exec(after);
  const name = (block === null ? before : block[1])?.trim();
  const value = tryLossless((block === null ? after : (block[2] ?? '')).trim());
  if (name === undefined || name === '' || /\s/.test(name) || !(value instanceof Map)) return undefined;
  return { name, arguments: jsonArguments(value) ?? '{}' };
}
