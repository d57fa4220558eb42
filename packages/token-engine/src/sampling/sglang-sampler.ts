import { CumulativeReader } from './cumulative-reader.ts';
import { postTokens, toEngineRefusal } from './post-tokens.ts';
import { parseEngineJson, readEvents, readWhole } from '../calls/read-body.ts';
import { refuseForcedTool } from '../calls/refuse-forced-tool.ts';
import { sglangSampling, writeSampling } from './sampling-params.ts';
import { tokenIdsJson } from '../calls/token-ids-json.ts';
import type { SamplePart, TokenSampler } from './token-sampler.ts';

const abortPatienceMs = 5_000;

/** SGLang's `/generate`. Source: SGLang docs, native API. */
export const sglangSampler: TokenSampler = {
  async sample(task, http) {
    refuseForcedTool(task.call);
    const members = [
      `"input_ids":${tokenIdsJson(task.promptIds)}`,
      `"sampling_params":${writeSampling(sglangSampling(task.call, task.maxTokens))}`,
      '"return_logprob":true',
      `"stream":${String(task.stream)}`,
    ];
    // Several answers need an id each. Without them the engine notices itself that the connection is gone.
    if (task.call.choiceCount === 1) members.unshift(`"rid":${JSON.stringify(task.requestId)}`);
    if (task.call.topLogprobs > 0) members.push(`"top_logprobs_num":${task.call.topLogprobs}`);
    if (task.call.value('return_routed_experts') === 'true') members.push('"return_routed_experts":true');
    // The router of SGLang keeps the calls of one key on one worker, where their prefix is cached.
    const key = task.sessionId === undefined ? undefined : { 'x-smg-routing-key': task.sessionId };
    const reply = await postTokens(task, http, '/generate', `{${members.join(',')}}`, { ...key });
    if (reply.status !== 200) return toEngineRefusal(reply);
    return task.stream ? streamedParts(reply.body) : wholePart(reply.body);
  },
  async abort(task, http) {
    if (task.call.choiceCount > 1) return;
    const reply = await http.send({
      method: 'POST',
      baseUrl: task.baseUrl,
      path: '/abort_request',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ rid: task.requestId })),
      sessionId: task.sessionId,
      signal: AbortSignal.timeout(abortPatienceMs),
    });
    await readWhole(reply.body);
  },
};

async function* wholePart(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  const value: unknown = parseEngineJson((await readWhole(body)).toString());
  const choices: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [choice, sampled] of choices.entries()) {
    yield { ...new CumulativeReader().read(sampled), choice };
  }
}

async function* streamedParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<SamplePart, void> {
  const reader = new CumulativeReader();
  for await (const data of readEvents(body)) yield reader.read(parseEngineJson(data));
}
