import { parseLossless, type LosslessJson } from '../tokens/lossless-json.ts';
import { tryLossless } from './json-call.ts';
import { parsePythonLiteral } from './python-literal.ts';

/** A parameter that a model wrote as plain text, as the value that the tool's schema asks for. */
export function argumentValue(text: string, types: ReadonlySet<string>): LosslessJson {
  if (types.has('string')) return types.has('null') && text.trim() === 'null' ? null : text;
  const trimmed = text.trim();
  const value = readValue(trimmed) ?? text;
  // Quotes around what is to be no text, or a level of escapes too many.
  if (types.size === 0 || typeof value !== 'string') return value;
  return unquoted(value === text ? `"${trimmed}"` : trimmed) ?? value;
}

function readValue(text: string): LosslessJson | undefined {
  try {
    return parseLossless(text);
  } catch {
    // Models trained on Python write True and 'text' as well.
    return parsePythonLiteral(text);
  }
}

function unquoted(text: string): LosslessJson | undefined {
  const inner = tryLossless(text);
  const value = typeof inner === 'string' ? tryLossless(inner) : undefined;
  return typeof value === 'string' ? undefined : value;
}
