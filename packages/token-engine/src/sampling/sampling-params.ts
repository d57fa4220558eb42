import { parseLossless, type LosslessJson } from '../tokens/lossless-json.ts';
import type { ChatCall } from '../calls/chat-call.ts';

/** Sampling parameters of an engine, by its own names, as JSON text. */
export type SamplingParams = Map<string, string>;

/**
 * The most tokens that a call asks for. `max_new_tokens` is what trainers set for a session, and wins.
 * Undefined where the call leaves it open.
 */
export function requestedTokens(call: ChatCall): number | undefined {
  for (const name of ['max_new_tokens', 'max_completion_tokens', 'max_tokens']) {
    const value = Number(call.value(name));
    if (Number.isInteger(value) && value > 0) return value;
  }
  return undefined;
}

/** Texts at which sampling is to stop. */
export function stopTexts(call: ChatCall): readonly string[] {
  const text = call.value('stop');
  const value = text === undefined ? undefined : parseLossless(text);
  const items: readonly (LosslessJson | undefined)[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string' && item !== '') as string[];
}

/** Ids at which sampling is to stop, besides those of the model. */
export function stopIds(call: ChatCall): readonly number[] {
  const text = call.value('stop_token_ids');
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

const shared = [
  'n',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'stop',
  'stop_token_ids',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'ignore_eos',
  'logit_bias',
];

/** Source: SGLang docs, sampling parameters. Unknown names would be refused, so only those it has are passed. */
export function sglangSampling(call: ChatCall, maxTokens: number): SamplingParams {
  const params = pick(call, [...shared, 'custom_params', 'regex', 'ebnf']);
  params.set('max_new_tokens', String(maxTokens));
  rename(call, params, 'seed', 'sampling_seed');
  rename(call, params, 'min_tokens', 'min_new_tokens');
  // The text of special tokens and of what stopped the answer belongs to it: ids and text have to tell the same.
  params.set('skip_special_tokens', 'false');
  params.set('spaces_between_special_tokens', 'false');
  params.set('no_stop_trim', 'true');
  const schema = responseSchema(call);
  if (schema === 'any_object') params.set('json_schema', JSON.stringify('{"type": "object"}'));
  else if (schema !== undefined) params.set('json_schema', JSON.stringify(schema));
  return params;
}

/** Source: vLLM docs, `SamplingParams`. */
export function vllmSampling(call: ChatCall, maxTokens: number): SamplingParams {
  const params = pick(call, [
    ...shared,
    'seed',
    'min_tokens',
    'bad_words',
    'allowed_token_ids',
    'truncate_prompt_tokens',
    'include_stop_str_in_output',
  ]);
  params.set('max_tokens', String(maxTokens));
  params.set('logprobs', String(Math.max(1, call.topLogprobs)));
  params.set('skip_special_tokens', 'false');
  params.set('spaces_between_special_tokens', 'false');
  const structured = call.value('structured_outputs');
  const schema = responseSchema(call);
  if (structured !== undefined) params.set('structured_outputs', structured);
  else if (schema === 'any_object') params.set('structured_outputs', '{"json_object":true}');
  else if (schema !== undefined) params.set('structured_outputs', `{"json":${schema}}`);
  return params;
}

function pick(call: ChatCall, names: readonly string[]): SamplingParams {
  const params: SamplingParams = new Map();
  for (const name of names) rename(call, params, name, name);
  return params;
}

function rename(call: ChatCall, params: SamplingParams, from: string, to: string): void {
  const value = call.value(from);
  if (value !== undefined) params.set(to, value);
}

/** The schema of `response_format` as JSON text; `any_object` for JSON mode. */
function responseSchema(call: ChatCall): string | undefined {
  const text = call.value('response_format');
  if (text === undefined) return undefined;
  const format = JSON.parse(text) as { type?: unknown; json_schema?: { schema?: unknown } };
  if (format.type === 'json_object') return 'any_object';
  // Numbers of a schema may lose their spelling here: 1.0 and 1 bound the same values.
  return format.type === 'json_schema' ? JSON.stringify(format.json_schema?.schema ?? {}) : undefined;
}
