import { parseLossless, stringifyLossless, type LosslessJson } from '../tokens/lossless-json.ts';
import type { ParsedToolCall } from './parsed-turn.ts';

/** `{"name": ..., "arguments": {...}}` as a call; undefined where it is not one. Some models say `parameters`. */
export function jsonCall(value: LosslessJson): ParsedToolCall | undefined {
  if (!(value instanceof Map)) return undefined;
  const name = value.get('name');
  if (typeof name !== 'string' || name === '') return undefined;
  const args = jsonArguments(value.get('arguments') ?? value.get('parameters'));
  if (args === undefined) return undefined;
  const id = value.get('id');
  return { ...(typeof id === 'string' && id !== '' ? { id } : {}), name, arguments: args };
}

/** Arguments as the text of an object; models also write them as a string that holds the object, or not at all. */
export function jsonArguments(value: LosslessJson | undefined): string | undefined {
  if (value === undefined || value === null) return '{}';
  if (value instanceof Map) return stringifyLossless(value);
  if (typeof value !== 'string') return undefined;
  const inner = tryLossless(value);
  return inner instanceof Map ? stringifyLossless(inner) : undefined;
}

/** Undefined where the text is not JSON. */
export function tryLossless(text: string): LosslessJson | undefined {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

/** Where the object or list that starts at `start` ends, judged by brackets outside of strings; undefined where it does not. */
export function endOfJson(text: string, start: number): number | undefined {
  if (text[start] !== '{' && text[start] !== '[') return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/**
 * Where the first object or list behind `from` ends, in which a closing tag is a part of a text; `from` where there is none before the tag.
 */
export function endOfFirstJson(text: string, from: number, close: string): number {
  const start = text.slice(from).search(/[{[]/);
  const tag = text.indexOf(close, from);
  if (start < 0 || (tag >= 0 && tag < from + start)) return from;
  return endOfJson(text, from + start) ?? from;
}

/** One call, or a list of them; undefined where the text is neither. */
export function jsonCalls(text: string): ParsedToolCall[] | undefined {
  const value = tryLossless(text);
  if (value === undefined) return undefined;
  const calls = (Array.isArray(value) ? value : [value]).map(jsonCall);
  return calls.every((call) => call !== undefined) ? calls : undefined;
}
