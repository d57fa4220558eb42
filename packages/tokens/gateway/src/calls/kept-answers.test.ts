import { beforeEach, describe, expect, it } from 'vitest';
import { type Bench, chatCall, testBench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, chatChunks, chatReply, sendJson, sse } from '../mock-engine.fixture.ts';
import type { AnswerStore, KeptAnswer } from '../engines/answer-store.ts';

class AnswerMap implements AnswerStore {
  readonly kept = new Map<string, KeptAnswer>();

  read(key: string): Promise<KeptAnswer | undefined> {
    return Promise.resolve(this.kept.get(key));
  }

  async write(key: string, answer: KeptAnswer): Promise<void> {
    await Promise.resolve();
    this.kept.set(key, answer);
  }
}

let answers: AnswerMap;
let bench: Bench;

beforeEach(async () => {
  answers = new AnswerMap();
  bench = await testBench({ answers, retry: { baseDelayMs: 1 } });
});

async function open(session_id: string, group_id?: string, more: object = {}): Promise<void> {
  await bench.json('/trajectories', { body: { session_id, ...(group_id && { group_id }), ...more } });
}

interface Asked {
  body?: object;
  path?: string;
  headers?: Record<string, string>;
}

async function ask(session: string, { body = chatCall, path = 'chat/completions', headers }: Asked = {}) {
  const reply = await bench.call(`/sessions/${session}/v1/${path}`, { body, ...(headers && { headers }) });
  return [reply.status, await reply.text()] as const;
}

const streamed = { ...chatCall, stream: true };
const told = { ...chatCall, max_tokens: 8 };

describe('an answer that is kept', () => {
  it.each([
    ['a whole one', {}],
    ['a stream', { body: streamed }],
    ['a translated one', { path: 'messages', body: told }],
    ['a translated stream', { path: 'messages', body: { ...told, stream: true } }],
  ])('is %s, byte for byte, with a capture of the same tokens', async (_, call) => {
    const captures: unknown[] = [];
    const replies: unknown[] = [];
    for (const session of ['one', 'two']) {
      await open(session, 'task.0');
      replies.push(await ask(session, call));
      const [capture] = (await bench.json(`/sessions/${session}/traces`)) as Record<string, unknown>[];
      const { prompt_token_ids: prompt, completion_token_ids: completion, logprobs } = capture!;
      captures.push({ prompt, completion, logprobs, capture: capture!['capture'] });
    }
    expect(bench.engine.requests).toHaveLength(1);
    // The translation makes ids and times of its own.
    const bare = JSON.stringify(replies).replaceAll(/msg_\w+/g, 'msg');
    const [first, second] = JSON.parse(bare) as unknown[];
    expect(second).toEqual(first);
    expect(captures[1]).toEqual(captures[0]);
    expect(await bench.json('/sessions/one')).toMatchObject({ kept_answers: 0 });
    expect(await bench.json('/sessions/two')).toMatchObject({ kept_answers: 1, trace_count: 1 });
  });

  it('is not paid for, and a ceiling that is reached lets it through', async () => {
    const ceilings = { sample: { calls: 1 } };
    for (const session of ['one', 'two']) {
      await open(session, 'task.0', { ceilings });
      expect((await ask(session))[0]).toBe(200);
    }
    expect((await ask('two', { body: { ...chatCall, seed: 1 } }))[0]).toBe(200);
    expect((await ask('two', { body: { ...chatCall, seed: 2 } }))[0]).toBe(402);
    expect(bench.engine.requests).toHaveLength(2);
  });

  it('is of the same sample: others, and calls of no sample, ask', async () => {
    await open('one', 'task.0');
    await open('two', 'task.1');
    await open('free');
    for (const session of ['one', 'two', 'free', 'unknown']) await ask(session);
    expect(bench.engine.requests).toHaveLength(4);
    expect(answers.kept.size).toBe(2);
  });

  it('counts how often a session has asked the same', async () => {
    for (const session of ['one', 'two']) {
      await open(session, 'task.0');
      await ask(session);
      await ask(session);
    }
    expect(bench.engine.requests).toHaveLength(2);
    expect(answers.kept.size).toBe(2);
  });

  it('is of one version of the weights, of one request, and of one version of the API', async () => {
    const calls = [{}, { body: { ...chatCall, temperature: 0.5 } }, { headers: { 'openai-beta': 'x=v2' } }];
    for (const session of ['one', 'two']) {
      await open(session, 'task.0');
      for (const call of calls) await ask(session, call);
    }
    expect(bench.engine.requests).toHaveLength(3);
    await bench.call('/admin/weight_version', { body: { weight_version: 2 } });
    await open('three', 'task.0');
    await ask('three');
    expect(bench.engine.requests).toHaveLength(4);
  });
});

describe('not kept is', () => {
  it('a refusal, and the answer behind it is the first one', async () => {
    let refusals = 1;
    bench.engine.answer = (request, response) =>
      refusals-- > 0
        ? sendJson(response, 503, { error: { message: 'busy' } })
        : answerAsVllm(request, response);
    await open('one', 'task.0');
    expect((await ask('one'))[0]).toBe(200);
    await open('two', 'task.0');
    expect((await ask('two'))[0]).toBe(200);
    expect(bench.engine.requests).toHaveLength(2);
  });

  it.each([false, true])('what the engine gave up on, streamed %s', async (stream) => {
    const givenUp = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll('"stop"', '"abort"'));
    bench.engine.answer = (_request, response) => {
      if (!stream) return sendJson(response, 200, givenUp(chatReply()));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of chatChunks()) response.write(sse(givenUp(chunk)));
      response.end('data: [DONE]\n\n');
    };
    await open('one', 'task.0');
    await ask('one', { body: { ...chatCall, stream } });
    expect(bench.engine.requests.length).toBeGreaterThan(0);
    expect(answers.kept.size).toBe(0);
  });

  it('one that cannot be written: the call is answered all the same', async () => {
    answers.write = () => Promise.reject(new Error('disk full'));
    await open('one', 'task.0');
    expect((await ask('one'))[0]).toBe(200);
    expect(answers.kept.size).toBe(0);
  });
});
