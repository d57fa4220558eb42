import { isJsonObject } from '@art/protocol';

import { readEngineError } from './read-engine-error.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readEvents, readWhole } from '../calls/read-body.ts';
import { refuseForcedTool } from '../calls/refuse-forced-tool.ts';
import { vllmSampling } from './sampling-params.ts';
import { tokenIdsJson } from '../calls/token-ids-json.ts';
import type { SamplePart, SampleTask, TokenSampler, TopLogprob } from './token-sampler.ts';
import { readVllmChoices, tokenIdIn, type VllmChoice } from './vllm-choice.ts';
import { withStopToken } from './with-stop-token.ts';

/**
 * vLLM's `/v1/completions` with the ids of the prompt, which every vLLM has. It stops sampling when the connection is
 * dropped. Source: vLLM docs, OpenAI-compatible server, extra parameters.
 */
export const vllmCompletionsSampler: TokenSampler = {
  async sample(task, http) {
    refuseForcedTool(task.call);
    const session: Record<string, string> =
      task.sessionId === undefined ? {} : { 'x-session-id': task.sessionId };
    const reply = await postTokens(task, http, `${task.apiPath}/completions`, bodyOf(task), session);
    if (reply.status !== 200) return toEngineRefusal(reply);
    const top = task.call.topLogprobs;
    // What it stopped at is told, but for the model's own end of turn.
    return withStopToken(task.stream ? streamedParts(reply.body, top) : wholePart(reply.body, top));
  },
};

function bodyOf(task: SampleTask): string {
  const { call, promptIds, stream } = task;
  const members = [
    `"prompt":${tokenIdsJson(promptIds)}`,
    // The template has put in what belongs there.
    '"add_special_tokens":false',
    '"return_token_ids":true',
    // The alternatives to a token are named by their text otherwise.
    '"return_tokens_as_token_ids":true',
    `"request_id":${JSON.stringify(task.requestId)}`,
    `"stream":${String(stream)}`,
  ];
  if (call.model !== '') members.unshift(`"model":${JSON.stringify(call.model)}`);
  if (stream) members.push('"stream_options":{"include_usage":true}');
  for (const [name, value] of vllmSampling(call, task.maxTokens)) {
    members.push(`${JSON.stringify(name)}:${value}`);
  }
  for (const name of ['cache_salt', 'priority']) {
    const value = call.value(name);
    if (value !== undefined) members.push(`"${name}":${value}`);
  }
  return `{${members.join(',')}}`;
}

async function* wholePart(body: AsyncIterable<Uint8Array>, top: number): AsyncGenerator<SamplePart, void> {
  yield* readParts(parseEngineJson((await readWhole(body)).toString()), top);
}

async function* streamedParts(
  body: AsyncIterable<Uint8Array>,
  top: number,
): AsyncGenerator<SamplePart, void> {
  for await (const data of readEvents(body)) yield* readParts(parseEngineJson(data), top);
}

function readParts(event: unknown, top: number): SamplePart[] {
  const object = isJsonObject(event) ? event : {};
  const failure = readEngineError(object);
  if (failure !== undefined) return [failure];
  return readVllmChoices(object).map((choice) => toPart(choice, top));
}

function toPart({ index, ids, logprobs, text, told }: VllmChoice, top: number): SamplePart {
  const { tokens, token_logprobs: own, top_logprobs: tops, content } = isJsonObject(logprobs) ? logprobs : {};
  // Some servers have the list of the chat route here as well.
  const values = own ?? (Array.isArray(content) ? content.map(logprobIn) : undefined);
  return {
    choice: index,
    // Releases before `return_token_ids` have the ids only as the names of the tokens.
    ids: ids ?? (Array.isArray(tokens) ? tokens.map(tokenIdIn) : []),
    logprobs: Array.isArray(values)
      ? values.map((value) => (typeof value === 'number' ? value : null))
      : undefined,
    topLogprobs: Array.isArray(tops) ? tops.map((entry) => readTop(entry, top)) : undefined,
    text,
    ...told,
  };
}

function logprobIn(item: unknown): unknown {
  return isJsonObject(item) ? item['logprob'] : undefined;
}

// The sampled token is among them, also where it is not one of the most likely.
function readTop(value: unknown, count: number): TopLogprob[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .map(([token, logprob]) => ({
      id: tokenIdIn(token),
      logprob: typeof logprob === 'number' ? logprob : null,
    }))
    .toSorted((one, other) => (other.logprob ?? -Infinity) - (one.logprob ?? -Infinity))
    .slice(0, count);
}
