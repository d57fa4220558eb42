import { writeObject } from '@art/json-bytes';
import { refuseForcedTool } from '../calls/chat-call.ts';
import { tokenIdsJson } from '../calls/called-engine.ts';
import { vllmSampling } from './sampling-params.ts';
import type { SampleTask, TokenSampler } from './token-sampler.ts';
import { readVllmParts, withStopToken } from './vllm-parts.ts';

/**
 * vLLM's `/v1/completions` with the ids of the prompt, which every vLLM has. It stops sampling when the connection is
 * dropped. Source: vLLM docs, OpenAI-compatible server, extra parameters.
 */
export const vllmCompletionsSampler: TokenSampler = {
  async sample(task) {
    const { call, engine } = task;
    refuseForcedTool(call);
    const session = engine.sessionId === undefined ? undefined : { 'x-session-id': engine.sessionId };
    const body = await engine.sample(`${engine.apiPath}/completions`, bodyOf(task), { ...session });
    // What it stopped at is told, but for the model's own end of turn.
    return withStopToken(readVllmParts(body, task));
  },
};

function bodyOf({ call, promptIds, stream, requestId, maxTokens }: SampleTask): string {
  return writeObject([
    ['model', call.model === '' ? undefined : JSON.stringify(call.model)],
    ['prompt', tokenIdsJson(promptIds)],
    // The template has put in what belongs there.
    ['add_special_tokens', 'false'],
    ['return_token_ids', 'true'],
    // The alternatives to a token are named by their text otherwise.
    ['return_tokens_as_token_ids', 'true'],
    ['request_id', JSON.stringify(requestId)],
    ['stream', String(stream)],
    ['stream_options', stream ? '{"include_usage":true}' : undefined],
    ...vllmSampling(call, maxTokens),
    ['cache_salt', call.value('cache_salt')],
    ['priority', call.value('priority')],
  ]);
}
