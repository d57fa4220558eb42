import { isJsonObject, stringifyJson } from '@art/ground';
import { printableText } from './printable-text.ts';

/**
 * A value for programs: one line of plain JSON. Numbers that JSON does not have, as Python may write them, become the
 * texts "NaN", "Infinity" and "-Infinity".
 */
export function printedJson(value: unknown): string {
  return `${printableText(stringifyJson(withPlainNumbers(value)))}\n`;
}

function withPlainNumbers(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPlainNumbers(member)]));
}
