import { parseLossless, type LosslessJson } from '../tokens/lossless-json.ts';
import { parsePythonLiteral } from './python-literal.ts';

/** A parameter that a model wrote as plain text, as the value that the tool's schema asks for. */
export function argumentValue(text: string, types: ReadonlySet<string>): LosslessJson {
  if (types.has('string')) return types.has('null') && text.trim() === 'null' ? null : text;
  const trimmed = text.trim();
  try {
    return parseLossless(trimmed);
  } catch {
    // Models trained on Python write True and 'text' as well.
    return parsePythonLiteral(trimmed) ?? text;
  }
}
