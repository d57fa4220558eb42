import { endOfFirstJson, jsonArguments, tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';

const calls = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'] as const;

/**
 * DeepSeek 3 writes `function<｜tool▁sep｜>name` and the arguments in a fenced block; 3.1 writes
 * `name<｜tool▁sep｜>{...}`. Both stand between the same tags, and either is understood.
 */
export const deepseekTools = taggedFormat({
  section: calls,
  call: ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'],
  bareWithout: calls,
  endOfInside: (text, from) => endOfFirstJson(text, from, '<｜tool▁call▁end｜>'),
  read: deepseekCall,
});

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
