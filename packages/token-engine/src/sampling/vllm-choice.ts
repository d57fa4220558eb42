import { isJsonObject } from '@art/protocol';

import { readWeightSpans } from '../calls/read-weight-spans.ts';
import type { SamplePart } from './token-sampler.ts';

/** What the token routes of vLLM have in common. */
export interface VllmChoice {
  index: number;
  /** Undefined where the engine gave none. */
  ids: number[] | undefined;
  /** In the shape of the route. */
  logprobs: unknown;
  text: string | undefined;
  /** Everything but the tokens. */
  told: Pick<SamplePart, 'finish' | 'weightVersion' | 'weightVersions' | 'routedExperts' | 'usage'>;
}

/** Reads the choices of an answer, or of an event of a stream. An event without choices is one without tokens. */
export function readVllmChoices(event: Readonly<Record<string, unknown>>): VllmChoice[] {
  const choices: readonly unknown[] = Array.isArray(event['choices']) ? event['choices'] : [];
  if (choices.length === 0) return [readChoice({}, event, 0)];
  return choices.map((choice, place) => readChoice(isJsonObject(choice) ? choice : {}, event, place));
}

function readChoice(
  choice: Readonly<Record<string, unknown>>,
  event: Readonly<Record<string, unknown>>,
  place: number,
): VllmChoice {
  const { index, token_ids: ids, logprobs, text, finish_reason: reason, stop_reason: matched } = choice;
  const experts = choice['routed_experts'];
  return {
    index: typeof index === 'number' ? index : place,
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
      // The engine counts all choices together.
      usage: place === 0 ? readUsage(event['usage']) : {},
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
