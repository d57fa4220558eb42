import { isJsonObject } from '@art/protocol';

import { readEngineError } from './read-engine-error.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readEvents, readWhole } from '../calls/read-body.ts';
import { refuseForcedTool } from '../calls/refuse-forced-tool.ts';
import { renderedSampling } from './rendered-sampling.ts';
import { stopTexts, vllmSampling, writeSampling } from './sampling-params.ts';
import { tokenIdsJson } from '../calls/token-ids-json.ts';
import type { SamplePart, SampleTask, TokenSampler, TopLogprob } from './token-sampler.ts';
import { readVllmChoices, tokenIdIn, type VllmChoice } from './vllm-choice.ts';
import { withStopToken } from './with-stop-token.ts';

/** vLLM's `/inference/v1/generate`. It stops sampling when the connection is dropped. */
export const vllmSampler: TokenSampler = {
  async sample(task, http) {
    const members = task.rendered === undefined ? ownMembers(task) : renderedMembers(task, task.rendered);
    members.set('request_id', JSON.stringify(task.requestId));
    members.set('token_ids', tokenIdsJson(task.promptIds));
    members.set('stream', String(task.stream));
    if (task.stream) members.set('stream_options', '{"include_usage":true}');
    const body = Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`);
    const session = task.sessionId === undefined ? undefined : { 'x-session-id': task.sessionId };
    const reply = await postTokens(task, http, '/inference/v1/generate', `{${body.join(',')}}`, {
      ...session,
    });
    if (reply.status !== 200) return toEngineRefusal(reply);
    const parts = task.stream ? streamedParts(reply.body) : wholeParts(reply.body);
    // This route does not say what it stopped at.
    return stopTexts(task.call).length === 0 ? withStopToken(parts) : parts;
  },
};

function ownMembers({ call, maxTokens }: SampleTask): Map<string, string> {
  refuseForcedTool(call);
  const members = new Map([['sampling_params', writeSampling(vllmSampling(call, maxTokens))]]);
  if (call.model !== '') members.set('model', JSON.stringify(call.model));
  for (const name of ['cache_salt', 'priority']) {
    const value = call.value(name);
    if (value !== undefined) members.set(name, value);
  }
  return members;
}

// With what only the engine knows: the defaults of its generation config, images, grammars of tools.
function renderedMembers(task: SampleTask, rendered: ReadonlyMap<string, string>): Map<string, string> {
  const params = renderedSampling(task, rendered.get('sampling_params'));
  // A tool is forced by a grammar. Without one the engine would just answer.
  if (!params.has('structured_outputs')) refuseForcedTool(task.call);
  const members = new Map(Array.from(rendered).filter(([, value]) => value !== 'null'));
  members.delete('stream_options');
  members.set('sampling_params', writeSampling(params));
  return members;
}

async function* wholeParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  yield* readParts(parseEngineJson((await readWhole(body)).toString()));
}

async function* streamedParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  for await (const data of readEvents(body)) yield* readParts(parseEngineJson(data));
}

function readParts(event: unknown): SamplePart[] {
  const object = isJsonObject(event) ? event : {};
  const failure = readEngineError(object);
  return failure === undefined ? readVllmChoices(object).map(toPart) : [failure];
}

function toPart({ index, ids, logprobs, told }: VllmChoice): SamplePart {
  const content =
    isJsonObject(logprobs) && Array.isArray(logprobs['content']) ? logprobs['content'] : undefined;
  // What is no object keeps its place: the logprobs of the tokens after it must not move up.
  const entries = content?.map((entry) => (isJsonObject(entry) ? entry : {}));
  return {
    choice: index,
    ids: ids ?? [],
    logprobs: entries?.map((entry) => (typeof entry['logprob'] === 'number' ? entry['logprob'] : null)),
    topLogprobs: entries?.map((entry) => readTop(entry['top_logprobs'])),
    ...told,
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
