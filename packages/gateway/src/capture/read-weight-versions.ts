import { isJsonObject, parseJson } from '@art/protocol';
import type { JsonScanner } from '@art/json-bytes';
import type { WeightVersionSpan } from '@art/trajectories';

/** Reads a weight version, a text or a number, as text; goes past it. */
export function readWeightVersion(scanner: JsonScanner): string | undefined {
  if (scanner.peek() === 0x22) return scanner.readString();
  const text = scanner.readText();
  return /^-?\d/.test(text) ? text : undefined;
}

/**
 * Reads `weight_versions`, spans of completion tokens with the version that sampled them, and goes past it. Empty where the
 * value has another shape.
 */
export function readWeightVersions(scanner: JsonScanner): readonly WeightVersionSpan[] {
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return [];
  }
  const items = parseJson(scanner.readText());
  if (!Array.isArray(items)) return [];
  const spans: WeightVersionSpan[] = [];
  for (const item of items) {
    if (!isJsonObject(item)) return [];
    const { version, start, end } = item;
    const isSpan = typeof start === 'number' && typeof end === 'number';
    if (!isSpan || version === undefined || version === null || typeof version === 'object') return [];
    spans.push({ version: String(version), start, end });
  }
  return spans;
}
