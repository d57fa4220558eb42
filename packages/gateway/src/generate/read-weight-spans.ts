import { isJsonObject } from '@art/protocol';

import type { WeightVersionSpan } from '@art/trajectories';

/** `weight_versions` as SGLang and vLLM write it; undefined where there is none. */
export function readWeightSpans(value: unknown): readonly WeightVersionSpan[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).map((span) => ({
    version: String(span['version']),
    start: Number(span['start']),
    end: Number(span['end']),
  }));
}
