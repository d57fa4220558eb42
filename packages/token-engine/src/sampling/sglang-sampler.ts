import { writeObject } from '@art/json-bytes';
import { readEngineJson } from '../calls/read-body.ts';
import { refuseForcedTool } from '../calls/chat-call.ts';
import { tokenIdsJson } from '../calls/called-engine.ts';
import { CumulativeReader } from './cumulative-reader.ts';
import { sglangSampling } from './sampling-params.ts';
import type { SamplePart, TokenSampler } from './token-sampler.ts';

const abortPatienceMs = 5_000;

/** SGLang's `/generate`. Source: SGLang docs, native API. */
export const sglangSampler: TokenSampler = {
  async sample({ call, engine, promptIds, requestId, maxTokens, stream }) {
    refuseForcedTool(call);
    const request = writeObject([
      // Several answers need an id each. Without them the engine notices itself that the connection is gone.
      ['rid', call.choiceCount === 1 ? JSON.stringify(requestId) : undefined],
      ['input_ids', tokenIdsJson(promptIds)],
      ['sampling_params', writeObject(sglangSampling(call, maxTokens))],
      ['return_logprob', 'true'],
      ['top_logprobs_num', call.topLogprobs > 0 ? String(call.topLogprobs) : undefined],
      ['return_routed_experts', call.value('return_routed_experts') === 'true' ? 'true' : undefined],
      ['stream', String(stream)],
    ]);
    return readParts(await engine.sample('/generate', request, routingKey(engine.sessionId)), stream);
  },
  async abort({ call, engine, requestId }) {
    if (call.choiceCount > 1) return;
    const patience = engine.within(AbortSignal.timeout(abortPatienceMs));
    await patience.ask('/abort_request', JSON.stringify({ rid: requestId }));
  },
};

/** The router of SGLang keeps the calls of one key on one worker, where their prefix is cached. */
export function routingKey(sessionId: string | undefined): Record<string, string> {
  return sessionId === undefined ? {} : { 'x-smg-routing-key': sessionId };
}

async function* readParts(
  body: AsyncIterable<Uint8Array>,
  isStreamed: boolean,
): AsyncGenerator<SamplePart, void> {
  const reader = new CumulativeReader();
  for await (const value of readEngineJson(body, isStreamed)) {
    // Several answers come as a list.
    if (!Array.isArray(value)) yield reader.read(value);
    else for (const [choice, one] of value.entries()) yield { ...new CumulativeReader().read(one), choice };
  }
}
