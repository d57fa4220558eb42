import { isJsonObject } from '@art/protocol';

import { tokensObject } from '../calls/read-body.ts';
import { matchedOf, numberOf, readWeightSpans, versionOf } from './told-values.ts';
import type { SampleFinish, SamplePart, TopLogprob } from './token-sampler.ts';

/**
 * Reads objects that hold everything so far, as is SGLang's default, or only what is new, with
 * `--incremental-streaming-output`. Which it is shows in the engine's own count of the tokens so far; where there is none that
 * fits, in whether they begin with those before.
 */
export class CumulativeReader {
  readonly #ids: number[] = [];

  read(event: unknown): SamplePart {
    const object = tokensObject(event);
    const meta = isJsonObject(object['meta_info']) ? object['meta_info'] : {};
    const counted = numberOf(meta['completion_tokens']);
    const tuples = Array.isArray(meta['output_token_logprobs'])
      ? (meta['output_token_logprobs'] as unknown[][])
      : undefined;
    const outputIds = Array.isArray(object['output_ids']) ? (object['output_ids'] as number[]) : [];
    const told = tuples === undefined ? outputIds : tuples.map((tuple) => tuple[1] as number);
    const from = this.#isAllSoFar(told, counted) ? this.#ids.length : 0;
    const fresh = tuples?.slice(from);
    const ids = told.slice(from);
    for (const id of ids) this.#ids.push(id);
    const tops = meta['output_top_logprobs'];
    const experts = meta['routed_experts'];
    return {
      ids,
      logprobs: fresh?.map((tuple) => numberOf(tuple[0]) ?? null),
      topLogprobs: Array.isArray(tops)
        ? (tops.slice(-ids.length || tops.length) as unknown[]).map(readTop)
        : undefined,
      finish: readFinish(meta['finish_reason']),
      weightVersion: versionOf(meta['weight_version']),
      weightVersions: readWeightSpans(meta['weight_versions']),
      routedExperts: typeof experts === 'string' ? experts : undefined,
      usage: {
        prompt: numberOf(meta['prompt_tokens']),
        completion: counted,
        cached: numberOf(meta['cached_tokens']),
      },
    };
  }

  #isAllSoFar(told: readonly number[], counted: number | undefined): boolean {
    const seen = this.#ids;
    if (seen.length > 0 && counted === seen.length + told.length) return false;
    if (counted === told.length) return true;
    return told.length >= seen.length && seen.every((id, index) => id === told[index]);
  }
}

function readFinish(value: unknown): SampleFinish | undefined {
  if (typeof value === 'string') return { reason: value };
  if (!isJsonObject(value)) return undefined;
  const { type, matched, message } = value;
  return {
    reason: typeof type === 'string' ? type : 'stop',
    matched: matchedOf(matched),
    message: typeof message === 'string' ? message : undefined,
  };
}

function readTop(tuples: unknown): TopLogprob[] {
  if (!Array.isArray(tuples)) return [];
  return (tuples as unknown[][]).map((tuple) => ({
    id: tuple[1] as number,
    logprob: numberOf(tuple[0]) ?? null,
  }));
}
