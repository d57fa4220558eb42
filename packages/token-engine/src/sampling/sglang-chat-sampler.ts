import { isJsonObject } from '@art/protocol';
import { writeObject } from '@art/json-bytes';

import { noEngineParser } from '../calls/call-errors.ts';
import { tokenIdsJson } from '../calls/called-engine.ts';
import { readEngineJson, readEngineMessage, tokensObject } from '../calls/read-body.ts';
import { CumulativeReader } from './cumulative-reader.ts';
import { routingKey, sglangSampler } from './sglang-sampler.ts';
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
  async sample(task) {
    const { engine } = task;
    const path = `${engine.apiPath}/chat/completions`;
    const body = await engine.sample(path, bodyOf(task), routingKey(engine.sessionId));
    return readParts(task, body);
  },
};

function bodyOf({ call, promptIds, requestId, maxTokens }: SampleTask): string {
  return writeObject([
    ...Array.from(call.members()).filter(([name]) => !replaced.includes(name)),
    ['input_ids', tokenIdsJson(promptIds)],
    ['stream', 'false'],
    ['max_completion_tokens', String(maxTokens)],
    ['logprobs', 'true'],
    ['return_prompt_token_ids', 'true'],
    ['return_meta_info', 'true'],
    ['rid', call.choiceCount === 1 ? JSON.stringify(requestId) : undefined],
  ]);
}

async function* readParts(
  task: SampleTask,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<SamplePart, void> {
  for await (const reply of readEngineJson(body, false)) {
    const { choices } = tokensObject(reply);
    for (const [place, value] of (Array.isArray(choices) ? (choices as unknown[]) : []).entries()) {
      const choice = isJsonObject(value) ? value : {};
      checkPrompt(choice['prompt_token_ids'], task.promptIds);
      const sampled = new CumulativeReader().read({ meta_info: choice['meta_info'] });
      const message = readEngineMessage(choice['message']);
      const index = choice['index'];
      yield { ...sampled, message, choice: typeof index === 'number' ? index : place };
    }
  }
}

// Releases that do not know `input_ids` leave it out of account, render the messages themselves and say nothing.
function checkPrompt(told: unknown, promptIds: Int32Array): void {
  const isSame =
    Array.isArray(told) &&
    told.length === promptIds.length &&
    promptIds.every((id, index) => id === told[index]);
  if (isSame) return;
  throw noEngineParser(
    'Expected the engine to sample from the token ids that it was given and to say so, and it did not. Having it take answers ' +
      'apart takes SGLang 0.5.13 or newer.',
  );
}
