import { byteModel } from '../tokens/models.fixture.ts';
import { describe, expect, it, vi } from 'vitest';

import {
  expectTokens,
  messageOf,
  messages,
  prompt,
  routes,
  setUpEngine,
  tools,
} from './engine-bed.fixture.ts';
import { deltasOf } from './generate-harness.fixture.ts';
import { endOfTurn, idsOf, type MockRenderEngineOptions } from './mock-render-engine.fixture.ts';
import type { TokenEngineOptions } from './token-engine.ts';

const written = '<think>so 😀</think>Let me see.<tool_call>count({"of":1.0})</tool_call>';

describe.each([
  { derender: 'whole', stream: false },
  { derender: 'whole', stream: true },
  { derender: 'stream', stream: false },
  { derender: 'stream', stream: true },
] as const)('vLLM without a tokenizer here, derender $derender, stream $stream', ({ derender, stream }) => {
  it('renders, samples and takes apart at the engine, token by token the same', async () => {
    const { engine, ask, sent } = await setUpEngine({ derender });
    const ids = [...idsOf(written), endOfTurn];
    engine.answer = () => ({ ids });
    for (const _turn of [1, 2]) {
      const exchanged = await ask({ tools, stream, seed: 2 ** 40 });
      expect(exchanged.status).toBe(200);
      expectTokens(exchanged, ids);
      expect(messageOf(exchanged)).toMatchObject({
        content: 'Let me see.',
        reasoning_content: 'so 😀',
        tool_calls: [{ id: 'engine-call-0', function: { name: 'count', arguments: '{"of":1.0}' } }],
      });
      expect(exchanged.captured?.choices[0]?.finishReason).toBe('tool_calls');
      expect(exchanged.captured?.ended).toBe(true);
      expect(exchanged.text).not.toContain('<|end|>');
    }
    expect(sent(routes.render)[0]).toMatchObject({ messages, tools });
    expect(sent(routes.generate)[0]).toMatchObject({
      token_ids: prompt,
      model: 'm',
      priority: 0,
      stream: stream && sent(routes.generate)[0]!['stream'],
      sampling_params: { temperature: 0.6, seed: 2 ** 40, max_tokens: 1_000, logprobs: 1 },
    });
    // The engine's own names for what is not set are refused by its sampler.
    expect(sent(routes.generate)[0]).not.toHaveProperty('features');
    expect(sent(routes.generate)[0]!['sampling_params']).not.toHaveProperty('structured_outputs');
    const whole = sent(routes.derender).filter((body) => body['stream'] !== true);
    for (const body of whole) {
      expect(body).toMatchObject({
        model: 'm',
        prompt_tokens: prompt.length,
        chat_request: { messages, tools },
        generate_response: {
          prompt_token_ids: prompt,
          choices: [{ index: 0, token_ids: ids.slice(0, -1), finish_reason: 'stop' }],
        },
      });
    }
    // Once an engine has said that it does not stream, it is not asked again.
    const streamed = sent(routes.derender).filter((body) => body['stream'] === true);
    if (!stream) expect([whole.length, streamed.length]).toEqual([2, 0]);
    else if (derender === 'whole') expect([whole.length, streamed.length]).toEqual([2, 1]);
    else expect(whole).toEqual([]);
  });

  it('cuts the text at which it was to stop, whatever the engine says', async () => {
    for (const tellsStopReason of [false, true]) {
      const { engine, ask } = await setUpEngine({ derender, tellsStopReason });
      const ended = idsOf('one, two END');
      engine.answer = () => ({ ids: ended, stopReason: 'END' });
      const stopped = await ask({ stream, stop: [' END', 'END'] });
      expectTokens(stopped, ended);
      expect(messageOf(stopped)['content']).toBe('one, two');
      // The model ended its turn itself.
      const own = [...idsOf('one, two'), endOfTurn];
      engine.answer = () => ({ ids: own });
      if (derender === 'stream' && stream) continue;
      expect(messageOf(await ask({ stream, stop: 'END' }))['content']).toBe('one, two');
      engine.answer = () => ({ ids: idsOf('one EN'), finish: 'length' });
      expect(messageOf(await ask({ stream, stop: 'END' }))['content']).toBe('one EN');
    }
  });

  it('an answer of one token, and one that is cut off', async () => {
    const { engine, ask } = await setUpEngine({ derender });
    engine.answer = () => ({ ids: [endOfTurn] });
    const empty = await ask({ stream });
    expectTokens(empty, [endOfTurn]);
    expect(messageOf(empty)['content']).toBe('');
    engine.answer = () => ({ ids: idsOf('<think>hm'), finish: 'length' });
    const cut = await ask({ stream });
    expectTokens(cut, idsOf('<think>hm'));
    expect(messageOf(cut)).toMatchObject({ reasoning_content: 'hm' });
    expect(cut.captured?.choices[0]?.finishReason).toBe('length');
  });
});

it('an engine that streams shows an answer while it is sampled', async () => {
  const { engine, ask } = await setUpEngine({ derender: 'stream' });
  engine.answer = () => ({ ids: [...idsOf('Twelve, or so it seems.'), endOfTurn] });
  const { text } = await ask({ stream: true });
  const said = deltasOf(text).flatMap((delta) => (delta['content'] as string) || []);
  expect(said.join('')).toBe('Twelve, or so it seems.');
  expect(said.length).toBeGreaterThan(1);
});

it('an engine that only decodes as it comes is told of the prompt once', async () => {
  const { engine, ask, sent } = await setUpEngine({ derender: 'plain stream' });
  const ids = [...idsOf('Twelve, or so it seems.'), endOfTurn];
  engine.answer = () => ({ ids });
  const exchanged = await ask({ stream: true });
  expectTokens(exchanged, ids);
  expect(messageOf(exchanged)['content']).toBe('Twelve, or so it seems.');
  const [first, ...others] = sent(routes.derender);
  expect(first).toMatchObject({ stream_state: null, prompt_token_ids: prompt, chat_request: { messages } });
  expect(others.length).toBeGreaterThan(0);
  for (const body of others) {
    expect(body).toMatchObject({ stream_state: { read_offset: 1 } });
    expect(body).not.toHaveProperty('prompt_token_ids');
    expect(body).not.toHaveProperty('chat_request');
  }
});

it('sampling does not wait for an engine that reads slowly', async () => {
  const { engine, ask, sent } = await setUpEngine({ derender: 'stream' });
  const ids = [...idsOf('word '.repeat(40)), endOfTurn];
  engine.answer = () => ({ ids });
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  Object.defineProperty(engine, 'derenderGate', {
    get: () => ((asked += 1) === 2 ? gate.promise : Promise.resolve()),
  });
  const asking = ask({ stream: true });
  await vi.waitFor(() => expect(engine.streamed).toBe(1));
  gate.resolve();
  const exchanged = await asking;
  expectTokens(exchanged, ids);
  expect(messageOf(exchanged)['content']).toBe('word '.repeat(40));
  // The tokens that came meanwhile went together.
  expect(sent(routes.derender).length).toBeLessThan(ids.length / 2);
});

it('the token that ends an answer of gpt-oss belongs to what is parsed', async () => {
  const { engine, ask, sent } = await setUpEngine();
  const harmony = [200_006, 1, 200_008, 2];
  engine.refusals.set(routes.render, { status: 200, body: { token_ids: harmony } });
  engine.answer = () => ({ ids: [50, 200_012] });
  await ask();
  expect(sent(routes.derender)[0]).toMatchObject({
    generate_response: { choices: [{ token_ids: [50, 200_012] }] },
  });
});

describe('an engine without the routes', () => {
  it('tokenises and detokenises, as far as nothing else was asked for', async () => {
    const { engine, ask, sent } = await setUpEngine({ render: 'none', derender: 'none' });
    engine.answer = () => ({ ids: [...idsOf('Hi'), endOfTurn] });
    for (const stream of [false, true]) {
      const exchanged = await ask({ stream });
      expectTokens(exchanged, [...idsOf('Hi'), endOfTurn]);
      expect(messageOf(exchanged)['content']).toBe('Hi');
    }
    // Each of them is asked for once.
    expect(sent(routes.render)).toHaveLength(1);
    expect(engine.calls.filter((call) => call.path === routes.derender)).toHaveLength(1);
  });

  it.each<[MockRenderEngineOptions, Partial<TokenEngineOptions>]>([
    [{ derender: 'none' }, { toolCallParser: 'engine' }],
    [{ derender: 'none' }, { reasoningParser: 'engine' }],
    [{ isScaleOutOff: true }, { toolCallParser: 'engine' }],
    [{ isScaleOutOff: true }, { reasoningParser: 'engine' }],
  ])('is refused before it samples, where %j %j', async (mock, options) => {
    const { ask, sent } = await setUpEngine(mock, options);
    for (const _again of [1, 2]) {
      const exchanged = await ask();
      expect(exchanged.status).toBe(501);
      expect(JSON.parse(exchanged.text)).toMatchObject({
        error: {
          code: 'engine_parser_unavailable',
          message: expect.stringMatching(/0\.24.*--enable-scale-out/) as string,
        },
      });
    }
    expect(sent(routes.generate)).toEqual([]);
  });
});

describe('what the engine refuses', () => {
  const error = { message: 'too long', type: 'BadRequestError', param: null, code: 400 };

  it('to render reaches the agent in its own words', async () => {
    const { engine, ask, sent } = await setUpEngine();
    engine.refusals.set(routes.render, { status: 400, body: { error } });
    const exchanged = await ask();
    expect([exchanged.status, JSON.parse(exchanged.text)]).toEqual([400, { error }]);
    expect(sent(routes.generate)).toEqual([]);
  });

  it.each([routes.render, routes.derender])('with an ordinary 403 on %s stays a 403', async (route) => {
    const { engine, ask } = await setUpEngine();
    engine.answer = () => ({ ids: [...idsOf('Hi'), endOfTurn] });
    const forbidden = { message: 'not with this key', type: 'PermissionDeniedError', code: 403 };
    engine.refusals.set(route, { status: 403, body: { error: forbidden } });
    expect((await ask()).text).toContain('not with this key');
  });

  it('to take apart fails the call', async () => {
    const { engine, ask } = await setUpEngine();
    engine.answer = () => ({ ids: [...idsOf('Hi'), endOfTurn] });
    engine.refusals.set(routes.derender, { status: 400, body: { error } });
    for (const stream of [false, true]) {
      const exchanged = await ask({ stream });
      expect(exchanged.text).toContain('derender_failed');
      expect(exchanged.text).toContain('too long');
      expect(exchanged.text).not.toContain('[DONE]');
    }
  });

  it.each([{ token_ids: [] }, { token_ids: ['a'] }, {}, 7, [[], []]])(
    'a prompt of %j is none',
    async (body) => {
      const { engine, ask, sent } = await setUpEngine();
      engine.refusals.set(routes.render, { status: 200, body });
      const exchanged = await ask();
      expect(exchanged.status).toBe(502);
      expect(exchanged.text).toContain('render_failed');
      expect(sent(routes.generate)).toEqual([]);
    },
  );
});

describe('a call that forces a tool', () => {
  it('is sampled with the grammar that the engine made of it', async () => {
    const { engine, ask, sent } = await setUpEngine();
    engine.answer = () => ({ ids: [...idsOf('<tool_call>count({})</tool_call>'), endOfTurn] });
    const exchanged = await ask({ tools, tool_choice: 'required' });
    expect(exchanged.captured?.choices[0]?.finishReason).toBe('tool_calls');
    expect(sent(routes.generate)[0]!['sampling_params']).toMatchObject({
      structured_outputs: { structural_tag: 'a call of a tool' },
    });
  });

  it.each<[MockRenderEngineOptions, Partial<TokenEngineOptions>]>([
    [{ render: 'none' }, {}],
    [{ derender: 'none' }, {}],
    [{}, { toolCallParser: 'qwen' }],
    [{}, { checkpoint: byteModel, toolCallParser: 'engine' }],
  ])(
    'is refused where the engine makes none, or nobody could read what follows one: %j %j',
    async (mock, options) => {
      const { ask, sent } = await setUpEngine(mock, options);
      const exchanged = await ask({ tools, tool_choice: 'required' });
      expect(exchanged.status).toBe(400);
      expect(exchanged.text).toContain('tool_choice');
      expect(sent(routes.generate)).toEqual([]);
    },
  );
});

it.each([false, true])('several answers to one prompt, stream %s', async (stream) => {
  const { engine, ask, sent } = await setUpEngine({ derender: 'stream' });
  engine.answer = (_prompt, choice) => ({ ids: [...idsOf(`answer ${choice}`), endOfTurn] });
  const exchanged = await ask({ n: 3, stream, stream_options: { include_usage: true } });
  expect(exchanged.captured?.choices).toHaveLength(3);
  for (const choice of [0, 1, 2]) {
    expectTokens(exchanged, [...idsOf(`answer ${choice}`), endOfTurn], choice);
    expect(messageOf(exchanged, choice)['content']).toBe(`answer ${choice}`);
  }
  expect(exchanged.captured?.usage).toMatchObject({ prompt: prompt.length, completion: 27 });
  expect(sent(routes.generate)[0]!['sampling_params']).toMatchObject({ n: 3 });
});

it.each([
  { toolCallParser: 'engine', reasoningParser: 'qwen3' },
  { toolCallParser: 'qwen', reasoningParser: 'engine' },
])('%j is refused', async (options) => {
  await expect(setUpEngine({}, options)).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining('"engine" as well') as string,
  });
});
