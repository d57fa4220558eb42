import { isJsonObject } from '@art/protocol';

import { CallRefusal } from '../calls/call-refusal.ts';
import { CumulativeReader } from './cumulative-reader.ts';
import { readEngineMessage } from '../calls/read-engine-message.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readWhole } from '../calls/read-body.ts';
import { readEngineError } from './read-engine-error.ts';
import { sglangSampler } from './sglang-sampler.ts';
import { tokenIdsJson } from '../calls/token-ids-json.ts';
import type { SamplePart, SampleTask, TokenSampler } from './token-sampler.ts';

// What this route has other names for, or is said below.
const replaced = [
  'stream_options',
  'max_tokens',
  'max_new_tokens',
  'return_token_ids',
  'return_input_ids_in_sglext',
  'return_output_ids_in_sglext',
];

/**
 * SGLang's chat route with the ids of the prompt: it samples from them and takes the answer apart with its own parsers, all
 * in one call. Since 0.5.13, never streamed.
 */
export const sglangChatSampler: TokenSampler = {
  ...sglangSampler,
  async sample(task, http) {
    const key = task.sessionId === undefined ? undefined : { 'x-smg-routing-key': task.sessionId };
    const path = `${task.apiPath}/chat/completions`;
    const reply = await postTokens(task, http, path, bodyOf(task), { ...key });
    if (reply.status !== 200) return toEngineRefusal(reply);
    return readParts(task, reply.body);
  },
};

function bodyOf(task: SampleTask): string {
  const members = new Map(task.call.members());
  for (const name of replaced) members.delete(name);
  members.set('input_ids', tokenIdsJson(task.promptIds));
  members.set('stream', 'false');
  members.set('max_completion_tokens', String(task.maxTokens));
  members.set('logprobs', 'true');
  members.set('return_prompt_token_ids', 'true');
  members.set('return_meta_info', 'true');
  if (task.call.choiceCount === 1) members.set('rid', JSON.stringify(task.requestId));
  return `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

async function* readParts(
  task: SampleTask,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<SamplePart, void> {
  const reply = parseEngineJson((await readWhole(body)).toString());
  const object = isJsonObject(reply) ? reply : {};
  const failure = readEngineError(object);
  if (failure !== undefined) {
    yield failure;
    return;
  }
  const choices: readonly unknown[] = Array.isArray(object['choices']) ? object['choices'] : [];
  for (const [place, value] of choices.entries()) {
    const choice = isJsonObject(value) ? value : {};
    checkPrompt(choice['prompt_token_ids'], task.promptIds);
    const sampled = new CumulativeReader().read({ meta_info: choice['meta_info'] });
    const message = readEngineMessage(choice['message']);
    const index = choice['index'];
    yield { ...sampled, text: undefined, message, choice: typeof index === 'number' ? index : place };
  }
}

// Releases that do not know `input_ids` leave it out of account, render the messages themselves and say nothing.
function checkPrompt(told: unknown, promptIds: Int32Array): void {
  const isSame =
    Array.isArray(told) &&
    told.length === promptIds.length &&
    promptIds.every((id, index) => id === told[index]);
  if (isSame) return;
  throw new CallRefusal(
    'Expected the engine to sample from the token ids that it was given and to say so, and it did not. Having it take answers ' +
      'apart takes SGLang 0.5.13 or newer. Or name a tool call parser of the gateway instead of "engine".',
    undefined,
    undefined,
    { status: 501, code: 'engine_parser_unavailable' },
  );
}
