import { stringifyLossless, type LosslessJson, type LosslessObject } from '../tokens/lossless-json.ts';
import { tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** A parameter of a call in a format that writes each as plain text. */
export interface TextParameter {
  key: string;
  value: string;
  /** True if the model says that it is a text. @default it does not say */
  isText?: boolean;
}

/**
 * A call whose parameters were written as plain text, with the values that the tool's schema asks for.
 * @returns undefined where a parameter comes twice: neither of its values may get lost
 */
export function callWithTexts(
  name: string,
  parameters: readonly TextParameter[],
  schemas: ToolSchemas,
): ParsedToolCall | undefined {
  const members: LosslessObject = new Map();
  for (const { key, value, isText = false } of parameters) {
    if (members.has(key)) return undefined;
    const types = schemas.typesOf(name, key);
    // What the model says of a value yields to what the tool wants.
    members.set(key, isText && types.size === 0 ? value : argumentValue(value, types));
  }
  return { name, arguments: stringifyLossless(members) };
}

// As templates write them that print a value and not its JSON.
const pythonWords: ReadonlyMap<string, LosslessJson> = new Map([
  ['True', true],
  ['False', false],
]);

function argumentValue(text: string, types: ReadonlySet<string>): LosslessJson {
  if (types.has('string')) return types.has('null') && /^\s*(?:null|None)\s*$/.test(text) ? null : text;
  const trimmed = text.trim();
  if (trimmed === 'None') return null;
  const value = pythonWords.get(trimmed) ?? tryLossless(trimmed) ?? text;
  // Quotes around what is to be no text, or a level of escapes too many.
  if (types.size === 0 || typeof value !== 'string') return value;
  return unquoted(value === text ? `"${trimmed}"` : trimmed) ?? value;
}

function unquoted(text: string): LosslessJson | undefined {
  const inner = tryLossless(text);
  const value = typeof inner === 'string' ? tryLossless(inner) : undefined;
  return typeof value === 'string' ? undefined : value;
}
