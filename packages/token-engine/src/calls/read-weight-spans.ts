import { isJsonObject } from '@art/protocol';

import type { WeightVersionSpan } from '@art/trajectories';

/** `weight_versions` as SGLang and vLLM write it; undefined where there is none, or one that is no span of a version. */
export function readWeightSpans(value: unknown): readonly WeightVersionSpan[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const spans: WeightVersionSpan[] = [];
  for (const span of value) {
    if (!isJsonObject(span)) return undefined;
    const { version, start, end } = span;
    const isVersion = typeof version === 'string' || typeof version === 'number';
    if (!isVersion || !Number.isInteger(start) || !Number.isInteger(end)) return undefined;
    spans.push({ version: String(version), start: Number(start), end: Number(end) });
  }
  return spans;
}
