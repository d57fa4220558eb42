import { isJsonObject } from '@art/protocol';

import { readEngineError } from './read-engine-error.ts';
import { readWeightSpans } from './read-weight-spans.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readEvents, readWhole } from './read-body.ts';
import { vllmSampling, writeSampling } from './sampling-params.ts';
import { tokenIdsJson } from './token-ids-json.ts';
import type { SamplePart, TokenSampler, TopLogprob } from './token-sampler.ts';

/** vLLM's `/inference/v1/generate`. It stops sampling when the connection is dropped. */
export const vllmSampler: TokenSampler = {
  async sample(task, http) {
    const members = [
      `"request_id":${JSON.stringify(task.requestId)}`,
      `"token_ids":${tokenIdsJson(task.promptIds)}`,
      `"sampling_params":${writeSampling(vllmSampling(task.call, task.maxTokens))}`,
      `"stream":${String(task.stream)}`,
    ];
    if (task.call.model !== '') members.push(`"model":${JSON.stringify(task.call.model)}`);
    if (task.stream) members.push('"stream_options":{"include_usage":true}');
    for (const name of ['cache_salt', 'priority']) {
      const value = task.call.value(name);
      if (value !== undefined) members.push(`"${name}":${value}`);
    }
    const session = task.sessionId === undefined ? undefined : { 'x-session-id': task.sessionId };
    const reply = await postTokens(task, http, '/inference/v1/generate', `{${members.join(',')}}`, {
      ...session,
    });
    if (reply.status !== 200) return toEngineRefusal(reply);
    return task.stream ? streamedParts(reply.body) : wholePart(reply.body);
  },
};

async function* wholePart(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  yield readPart(parseEngineJson((await readWhole(body)).toString()));
}

async function* streamedParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  for await (const data of readEvents(body)) yield readPart(parseEngineJson(data));
}

function readPart(event: unknown): SamplePart {
  const object = isJsonObject(event) ? event : {};
  const failure = readEngineError(object);
  if (failure !== undefined) return failure;
  const choice: unknown = Array.isArray(object['choices']) ? object['choices'][0] : undefined;
  const { token_ids: ids, logprobs, finish_reason: reason, ...rest } = isJsonObject(choice) ? choice : {};
  const content =
    isJsonObject(logprobs) && Array.isArray(logprobs['content']) ? logprobs['content'] : undefined;
  // What is no object keeps its place: the logprobs of the tokens after it must not move up.
  const entries = content?.map((entry) => (isJsonObject(entry) ? entry : {}));
  const matched = rest['stop_reason'];
  const experts = rest['routed_experts'];
  return {
    ids: Array.isArray(ids) ? (ids as number[]) : [],
    logprobs: entries?.map((entry) => (typeof entry['logprob'] === 'number' ? entry['logprob'] : null)),
    topLogprobs: entries?.map((entry) => readTop(entry['top_logprobs'])),
    finish:
      typeof reason === 'string'
        ? {
            reason,
            matched: typeof matched === 'string' || typeof matched === 'number' ? matched : undefined,
          }
        : undefined,
    weightVersion: textOf(rest['weight_version'] ?? object['weight_version']),
    weightVersions: readWeightSpans(rest['weight_versions']),
    routedExperts: typeof experts === 'string' ? experts : undefined,
    usage: readUsage(object['usage']),
  };
}

// Older releases spell ids as "token_id:7", newer ones have them as a number.
function readTop(value: unknown): TopLogprob[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((entry) => ({
    id:
      typeof entry['token_id'] === 'number'
        ? entry['token_id']
        : Number(String(entry['token']).replace('token_id:', '')),
    logprob: typeof entry['logprob'] === 'number' ? entry['logprob'] : null,
  }));
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
