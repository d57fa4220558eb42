import { isJsonObject } from '@art/protocol';

import { readWeightSpans } from './read-weight-spans.ts';
import type { SamplePart } from './token-sampler.ts';

/** What the token routes of vLLM have in common. */
export interface VllmChoice {
  /** Undefined where the engine gave none. */
  ids: number[] | undefined;
  /** In the shape of the route. */
  logprobs: unknown;
  text: string | undefined;
  /** Everything but the tokens. */
  told: Pick<SamplePart, 'finish' | 'weightVersion' | 'weightVersions' | 'routedExperts' | 'usage'>;
}

/** Reads the one choice of an answer, or of an event of a stream; the last event may have none. */
export function readVllmChoice(event: Readonly<Record<string, unknown>>): VllmChoice {
  const first: unknown = Array.isArray(event['choices']) ? event['choices'][0] : undefined;
  const choice = isJsonObject(first) ? first : {};
  const { token_ids: ids, logprobs, text, finish_reason: reason, stop_reason: matched } = choice;
  const experts = choice['routed_experts'];
  return {
    ids: Array.isArray(ids) ? (ids as number[]) : undefined,
    logprobs,
    text: typeof text === 'string' ? text : undefined,
    told: {
      finish:
        typeof reason === 'string'
          ? {
              reason,
              matched: typeof matched === 'string' || typeof matched === 'number' ? matched : undefined,
            }
          : undefined,
      weightVersion: textOf(choice['weight_version'] ?? event['weight_version']),
      weightVersions: readWeightSpans(choice['weight_versions']),
      routedExperts: typeof experts === 'string' ? experts : undefined,
      usage: readUsage(event['usage']),
    },
  };
}

/** The id that vLLM wrote as "token_id:7"; NaN where it is none. */
export function tokenIdIn(token: unknown): number {
  return Number(String(token).replace('token_id:', ''));
}

function readUsage(value: unknown): NonNullable<SamplePart['usage']> {
  if (!isJsonObject(value)) return {};
  const { prompt_tokens: prompt, completion_tokens: completion } = value;
  return {
    prompt: typeof prompt === 'number' ? prompt : undefined,
    completion: typeof completion === 'number' ? completion : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
