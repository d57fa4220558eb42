import { describe, expect, it } from 'vitest';
import type { EngineTransport } from '@art/gateway/engine-port';
import { CalledEngine } from '../calls/called-engine.ts';
import { readChatCall } from '../calls/chat-call.ts';
import { SampledTurn } from './sampled-turn.ts';
import { sglangSampler } from './sglang-sampler.ts';

/** What comes of an engine's events. */
async function sampled(events: readonly object[]): Promise<SampledTurn> {
  const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const http: EngineTransport = {
    send: () =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from(`${stream}data: [DONE]\n\n`);
        })(),
      }),
    close: () => Promise.resolve(),
  };
  const engine = new CalledEngine({
    http,
    baseUrl: 'http://engine',
    apiPath: '/v1',
    headers: {},
    sessionId: 's',
    signal: new AbortController().signal,
  });
  const parts = await sglangSampler.sample({
    call: readChatCall(Buffer.from('{"messages":[{"role":"user","content":"q"}],"stream":true}')),
    engine,
    promptIds: Int32Array.of(1),
    rendered: undefined,
    maxTokens: 8,
    requestId: 'r',
    stream: true,
  });
  const turn = new SampledTurn();
  for await (const part of parts) turn.add(part);
  return turn;
}

const ids = [5, 5, 5, 6];
const tuples = ids.map((id, at): [number, number, null] => [-at - 1, id, null]);
const last = { type: 'stop', matched: null };

/** Events of these many tokens each, all so far or only the new ones, counted or not. */
function events(
  steps: readonly number[],
  { soFar, counts, hasLogprobs }: { soFar: boolean; counts: boolean; hasLogprobs: boolean },
): object[] {
  let sent = 0;
  return steps.map((step, index) => {
    const from = soFar ? 0 : sent;
    sent += step;
    return {
      output_ids: ids.slice(from, sent),
      meta_info: {
        finish_reason: index === steps.length - 1 ? last : null,
        ...(counts ? { prompt_tokens: 1, completion_tokens: sent } : {}),
        ...(hasLogprobs ? { output_token_logprobs: tuples.slice(from, sent) } : {}),
      },
    };
  });
}

describe('sglangSampler', () => {
  it.each([
    ['all so far, counted', true, true],
    ['all so far, not counted', true, false],
    ['what is new, counted', false, true],
  ])('reads a stream of %s', async (_name, soFar, counts) => {
    // The same token again and again; events without a token, the last one among them.
    for (const steps of [
      [1, 1, 1, 1],
      [2, 2],
      [1, 0, 3, 0],
      [4, 0],
      [0, 1, 2, 1],
    ]) {
      for (const hasLogprobs of [true, false]) {
        const turn = await sampled(events(steps, { soFar, counts, hasLogprobs }));
        expect(turn.ids).toEqual(ids);
        expect(turn.logprobs).toEqual(hasLogprobs ? [-1, -2, -3, -4] : []);
        expect(turn.finish).toMatchObject({ reason: 'stop' });
      }
    }
  });

  it('takes all so far for that where the count is another one', async () => {
    const parts = events([1, 1, 2], { soFar: true, counts: true, hasLogprobs: true }) as {
      meta_info: { completion_tokens: number };
    }[];
    for (const { meta_info: info } of parts) info.completion_tokens += 3;
    expect((await sampled(parts)).ids).toEqual(ids);
  });
});
