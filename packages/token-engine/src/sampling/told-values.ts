import { isJsonObject } from '@art/protocol';

import type { WeightVersionSpan } from '@art/trajectories';

/** A number that an engine tells; undefined where it tells something else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A version of the weights, which engines name or number. */
export function versionOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** What ended an answer: a text or a token. */
export function matchedOf(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** `weight_versions` as SGLang and vLLM write it; undefined where there is none, or one that is no span of a version. */
export function readWeightSpans(value: unknown): readonly WeightVersionSpan[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const spans: WeightVersionSpan[] = [];
  for (const span of value) {
    if (!isJsonObject(span)) return undefined;
    const { start, end } = span;
    const version = versionOf(span['version']);
    if (version === undefined || !Number.isInteger(start) || !Number.isInteger(end)) return undefined;
    spans.push({ version, start: Number(start), end: Number(end) });
  }
  return spans;
}
