import { isJsonObject } from '@art/protocol';

import { readEngineError } from './read-engine-error.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readEvents, readWhole } from './read-body.ts';
import { stopTexts, vllmSampling, writeSampling } from './sampling-params.ts';
import { tokenIdsJson } from './token-ids-json.ts';
import type { SamplePart, TokenSampler, TopLogprob } from './token-sampler.ts';
import { readVllmChoice, tokenIdIn } from './vllm-choice.ts';

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
    const parts = task.stream ? streamedParts(reply.body) : wholePart(reply.body);
    return stopTexts(task.call).length === 0 ? withStopToken(parts) : parts;
  },
};

async function* wholePart(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  yield readPart(parseEngineJson((await readWhole(body)).toString()));
}

async function* streamedParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  for await (const data of readEvents(body)) yield readPart(parseEngineJson(data));
}

/**
 * vLLM does not say on this route what it stopped at. Where no stop text was asked for it was a token, the last one, and
 * only this tells it where there is no tokenizer to know the model's own.
 */
async function* withStopToken(parts: AsyncGenerator<SamplePart, void>): AsyncGenerator<SamplePart, void> {
  let last: number | undefined;
  for await (const part of parts) {
    last = part.ids.at(-1) ?? last;
    const { finish } = part;
    if (finish?.reason === 'stop' && finish.matched === undefined) {
      yield { ...part, finish: { ...finish, matched: last } };
    } else yield part;
  }
}

function readPart(event: unknown): SamplePart {
  const object = isJsonObject(event) ? event : {};
  const failure = readEngineError(object);
  if (failure !== undefined) return failure;
  const choice = readVllmChoice(object);
  const { logprobs } = choice;
  const content =
    isJsonObject(logprobs) && Array.isArray(logprobs['content']) ? logprobs['content'] : undefined;
  // What is no object keeps its place: the logprobs of the tokens after it must not move up.
  const entries = content?.map((entry) => (isJsonObject(entry) ? entry : {}));
  return {
    ids: choice.ids ?? [],
    logprobs: entries?.map((entry) => (typeof entry['logprob'] === 'number' ? entry['logprob'] : null)),
    topLogprobs: entries?.map((entry) => readTop(entry['top_logprobs'])),
    ...choice.told,
  };
}

// Older releases spell ids as "token_id:7", newer ones have them as a number.
function readTop(value: unknown): TopLogprob[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((entry) => ({
    id: typeof entry['token_id'] === 'number' ? entry['token_id'] : tokenIdIn(entry['token']),
    logprob: typeof entry['logprob'] === 'number' ? entry['logprob'] : null,
  }));
}
