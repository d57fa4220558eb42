import { describe, expect, it } from 'vitest';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';
import { chatChunks, chatReply, mockTurn, sendJson, sse } from '../mock-engine.fixture.ts';

const engineFields = /prompt_token_ids|token_ids|logprobs|stop_reason|kv_transfer_params|prompt_logprobs/;

describe('a whole chat call', () => {
  it('reaches the engine byte for byte but for what is injected', async () => {
    const { call, engine } = await testBench();
    const body =
      '{ "temperature" : 1.0, "seed":1152921504606846976, "seed":1e-07,"x":"\\u00e9 😀",\n "messages":[{"role":"user","content":"hi"}] }';
    await (await call('/v1/chat/completions', { body })).text();
    const { text } = engine.last();
    expect(text).toContain(body.slice(0, body.lastIndexOf(']') + 1));
    expect(JSON.parse(text)).toMatchObject({ logprobs: true, return_token_ids: true });
  });

  it('comes back byte for byte but for what is stripped', async () => {
    const { call, engine } = await testBench();
    engine.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r7' });
      response.end(
        '{"id":"x", "created":1.0,"big":1152921504606846976,"prompt_token_ids":[1,2],"choices":[{"index":0,"message":{"role":"assistant","content":"ü😀"},"token_ids":[3],"finish_reason":"stop","logprobs":{"content":[{"token":"ü","logprob":-0.5}]}}]}',
      );
    };
    const reply = await call('/v1/chat/completions', { body: chatCall });
    expect(reply.headers.get('x-request-id')).toBe('r7');
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(await reply.text()).toBe(
      '{"id":"x", "created":1.0,"big":1152921504606846976,"choices":[{"index":0,"message":{"role":"assistant","content":"ü😀"},"finish_reason":"stop"}]}',
    );
  });

  it('gives what the agent asked for itself', async () => {
    const { json } = await testBench();
    const reply = await json('/v1/chat/completions', {
      body: { ...chatCall, logprobs: true, return_token_ids: true },
    });
    expect(reply).toMatchObject({
      choices: [{ token_ids: mockTurn.tokenIds, logprobs: { content: { length: 3 } } }],
    });
  });

  it('is captured also where the agent wants no logprobs', async () => {
    const { json, engine } = await testBench();
    const reply = await json('/sessions/one/v1/chat/completions', { body: { ...chatCall, logprobs: false } });
    expect(JSON.stringify(reply)).not.toMatch(engineFields);
    expect(JSON.parse(engine.last().text)).toMatchObject({ logprobs: true });
    expect(await json('/sessions/one/traces')).toMatchObject([{ logprobs: mockTurn.logprobs }]);
  });

  it('leaves no capture without a session', async () => {
    const { json } = await testBench();
    await json('/v1/chat/completions', { body: chatCall });
    expect(await json('/sessions')).toEqual([]);
  });

  it('can be left with the engine fields, and without injection', async () => {
    const { json, engine } = await testBench({ stripEngineFields: false });
    const whole = await json('/sessions/one/v1/chat/completions', { body: chatCall });
    expect(whole).toMatchObject({ prompt_token_ids: mockTurn.promptTokenIds });
    // Logprobs that nobody but the gateway asked for go all the same.
    expect(JSON.stringify(whole)).not.toContain('logprob"');
    const plain = await testBench({ addLogprobs: false, addTokenIds: false });
    const body = JSON.stringify(chatCall);
    await plain.json('/sessions/one/v1/chat/completions', { body });
    expect(plain.engine.last().text).toBe(body);
    expect(engine.requests).toHaveLength(1);
  });

  it('keeps raw bodies where it is asked to', async () => {
    const { json } = await testBench({ keepRawBodies: true });
    await json('/sessions/one/v1/chat/completions', { body: chatCall });
    expect(await json('/sessions/one/traces')).toMatchObject([
      { raw_request: { ...chatCall, return_token_ids: true }, raw_response: chatReply() },
    ]);
  });

  it('stores each of several choices', async () => {
    const { json, engine } = await testBench();
    engine.answer = (_request, response) => {
      const reply = chatReply() as { choices: object[]; usage: object };
      reply.choices = [0, 1].map((index) => ({ ...reply.choices[0], index }));
      reply.usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 };
      sendJson(response, 200, reply);
    };
    await json('/sessions/one/v1/chat/completions', { body: { ...chatCall, n: 2 } });
    expect(await json('/sessions/one/traces')).toMatchObject([
      { choice_index: 0, choice_count: 2, capture: 'complete' },
      { choice_index: 1, choice_count: 2, capture: 'complete' },
    ]);
  });

  it('is marked where the engine gives less than it should', async () => {
    const { json, engine } = await testBench();
    engine.answer = (_request, response) => {
      const reply = chatReply() as { choices: { token_ids: number[] }[] };
      reply.choices[0]!.token_ids.pop();
      sendJson(response, 200, reply);
    };
    await json('/sessions/one/v1/chat/completions', { body: chatCall });
    expect(await json('/sessions/one/traces')).toMatchObject([{ capture: 'incomplete' }]);
    expect(await json('/sessions/one')).toMatchObject({ incomplete_count: 1 });
  });
});

describe('sampling parameters', () => {
  const samplingParams = { temperature: 0.7, top_k: 20 };

  it('of the session win over those of the agent', async () => {
    const { json, engine } = await testBench({ model: 'forced' });
    await json('/sessions', { body: { session_id: 'one', sampling_params: samplingParams } });
    await json('/sessions/one/v1/chat/completions', { body: { ...chatCall, temperature: 0, top_p: 0.9 } });
    expect(JSON.parse(engine.last().text)).toMatchObject({ ...samplingParams, top_p: 0.9, model: 'forced' });
  });

  it('of the agent win where the gateway is told so', async () => {
    const { json, engine } = await testBench({ samplingEnforcement: 'client' });
    await json('/sessions', { body: { session_id: 'one', sampling_params: samplingParams } });
    await json('/sessions/one/v1/chat/completions', { body: { ...chatCall, temperature: 0 } });
    expect(JSON.parse(engine.last().text)).toMatchObject({ temperature: 0, top_k: 20 });
  });
});

describe('sampling parameters of a trajectory', () => {
  const limit = { max_tokens: 100 };

  it('win over those of the agent, and the capture tells both', async () => {
    const { json, engine } = await testBench();
    const sampling = { temperature: 1, top_p: 1 };
    await json('/trajectories', { body: { session_id: 'one', sampling_params: sampling } });
    const own = { temperature: 0, top_p: 1.0, seed: 7 };
    await json('/sessions/one/v1/chat/completions', { body: { ...chatCall, ...own } });
    expect(JSON.parse(engine.last().text)).toMatchObject({ ...sampling, seed: 7 });
    expect(await json('/sessions/one/traces')).toMatchObject([
      { temperature: 1, sampling_params: { ...sampling, seed: 7 }, overridden_params: { temperature: 0 } },
    ]);
  });

  it.each([
    ['chat/completions', { max_completion_tokens: 5 }, { max_completion_tokens: 100 }],
    ['chat/completions', { max_completion_tokens: null }, { max_completion_tokens: null, ...limit }],
    ['completions', { max_tokens: 5 }, limit],
    ['responses', { max_output_tokens: 5 }, limit],
    ['messages', { max_tokens: 5 }, limit],
  ])('set one limit of a call to %s that says %j', async (path, said, sent) => {
    const { call, json, engine } = await testBench();
    await json('/trajectories', { body: { session_id: 'one', sampling_params: limit } });
    const content =
      path === 'completions' ? { prompt: 'hi' } : path === 'responses' ? { input: 'hi' } : chatCall;
    await (await call(`/sessions/one/v1/${path}`, { body: { model: 'm', ...content, ...said } })).text();
    const body = JSON.parse(engine.last().text) as Record<string, unknown>;
    const limits = Object.entries(body).filter(([name]) => name.includes('max_'));
    expect(Object.fromEntries(limits)).toEqual(sent);
  });

  it('are those of the agent where they are only defaults, and it says them', async () => {
    const { json, engine } = await testBench();
    await json('/trajectories', {
      body: { session_id: 'one', sampling_defaults: { temperature: 1, top_k: 5 } },
    });
    await json('/sessions/one/v1/chat/completions', { body: { ...chatCall, temperature: 0, top_k: null } });
    expect(JSON.parse(engine.last().text)).toMatchObject({ temperature: 0, top_k: 5 });
  });
});

describe('a call under a grammar', () => {
  const parameters = { type: 'object', properties: {} };
  const tools = [{ type: 'function', function: { name: 'add', parameters } }];
  const format = { type: 'json_schema', name: 'a', schema: parameters };
  it.each([
    ['chat/completions', { ...chatCall, tools, tool_choice: 'required' }, 'tool_choice'],
    ['completions', { prompt: 'hi', guided_regex: 'a' }, 'guided_regex'],
    ['responses', { input: 'hi', text: { format } }, 'response_format'],
    [
      'responses',
      {
        input: 'hi',
        tools: [{ type: 'function', name: 'add', parameters }],
        tool_choice: { type: 'function', name: 'add' },
      },
      'tool_choice',
    ],
    [
      'messages',
      {
        ...chatCall,
        max_tokens: 5,
        tools: [{ name: 'add', input_schema: parameters }],
        tool_choice: { type: 'any' },
      },
      'tool_choice',
    ],
    ['messages', { ...chatCall, max_tokens: 5, regex: 'a+' }, 'regex'],
  ])('to %s is marked and does not train: %j', async (path, body, constraint) => {
    for (const trains of [false, true]) {
      const { call, json } = await testBench();
      await json('/trajectories', { body: { session_id: 'one', train_constrained: trains } });
      const reply = await call(`/sessions/one/v1/${path}`, { body: { model: 'm', ...body } });
      expect([reply.status, await reply.text()]).toMatchObject([200, {}]);
      expect(await json('/sessions/one/traces')).toMatchObject([
        { constraints: [constraint], capture: 'complete' },
      ]);
      const finished = (await json('/trajectories/one/finish', { body: {} })) as {
        records: object[];
        summary: object;
      };
      expect(finished.records).toHaveLength(trains ? 1 : 0);
      const masked = { reason: 'constrained', problems: [`sampled under ${constraint}`] };
      expect(finished.summary).toMatchObject({ masked_turns: trains ? [] : [masked] });
    }
  });
});

describe('a streamed chat call', () => {
  it('has all content, nothing of the engine, and is captured', async () => {
    const { call, json } = await testBench();
    const reply = await call('/sessions/one/v1/chat/completions', { body: { ...chatCall, stream: true } });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const text = await reply.text();
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    const chunks = lines
      .slice(0, -1)
      .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello from mock!');
    expect(text).not.toMatch(engineFields);
    expect(text).not.toContain('usage');
    expect(await json('/sessions/one/traces')).toMatchObject([
      {
        prompt_token_ids: mockTurn.promptTokenIds,
        completion_token_ids: mockTurn.tokenIds,
        logprobs: mockTurn.logprobs,
        response_message: { role: 'assistant', content: 'Hello from mock!' },
        finish_reason: 'stop',
        capture: 'complete',
      },
    ]);
  });

  it('has logprobs and usage where the agent asked for them', async () => {
    const { call } = await testBench();
    const body = { ...chatCall, stream: true, logprobs: true, stream_options: { include_usage: true } };
    const text = await (await call('/v1/chat/completions', { body })).text();
    expect(text).toContain('"logprob":-0.5');
    expect(text).toContain('"completion_tokens":3');
    expect(text).not.toContain('token_ids');
  });
});

describe('other wires', () => {
  it('completions are captured', async () => {
    const { json, engine } = await testBench();
    engine.answer = (_request, response) =>
      sendJson(response, 200, {
        object: 'text_completion',
        model: 'm',
        choices: [
          {
            index: 0,
            text: 'Hi',
            prompt_token_ids: [1, 2],
            token_ids: [10],
            finish_reason: 'stop',
            logprobs: { tokens: ['Hi'], token_logprobs: [-0.5], top_logprobs: [{}], text_offset: [0] },
          },
        ],
        usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
      });
    const reply = await json('/sessions/one/v1/completions', { body: { model: 'm', prompt: 'say hi' } });
    expect(reply).toMatchObject({ choices: [{ text: 'Hi' }] });
    expect(engine.last().url).toBe('/v1/completions');
    expect(await json('/sessions/one/traces')).toMatchObject([
      { wire: 'completions', prompt_token_ids: [1, 2], completion_token_ids: [10], logprobs: [-0.5] },
    ]);
  });

  it.each([false, true])('Responses are translated to chat and captured, streamed: %s', async (stream) => {
    const { call, json, engine } = await testBench();
    const body = { model: 'm', input: 'hi', stream };
    const text = await (await call('/sessions/one/v1/responses', { body })).text();
    expect(text).toContain('Hello from mock!');
    expect(text).not.toMatch(/token_ids/);
    if (stream) expect(text).toContain('event: response.completed');
    else expect(JSON.parse(text)).toMatchObject({ object: 'response', status: 'completed' });
    expect(engine.last().url).toBe('/v1/chat/completions');
    expect(await json('/sessions/one/traces')).toMatchObject([
      { wire: 'responses', completion_token_ids: mockTurn.tokenIds, capture: 'complete' },
    ]);
  });

  it.each([false, true])('Messages are translated to chat and captured, streamed: %s', async (stream) => {
    const { call, json, engine } = await testBench();
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], stream };
    const text = await (await call('/sessions/one/v1/v1/messages?beta=true', { body })).text();
    if (stream) expect(text).toContain('event: message_stop');
    else expect(JSON.parse(text)).toMatchObject({ type: 'message', content: [{ text: 'Hello from mock!' }] });
    expect(engine.last().url).toBe('/v1/chat/completions');
    expect(JSON.parse(engine.last().text)).toMatchObject({ logprobs: true, return_token_ids: true });
    expect(await json('/sessions/one/traces')).toMatchObject([
      { wire: 'messages', completion_token_ids: mockTurn.tokenIds, capture: 'complete' },
    ]);
  });

  it.each([false, true])('Messages name the stop sequence that ended them, streamed: %s', async (stream) => {
    const { call, engine } = await testBench();
    engine.answer = (_request, response) => {
      if (!stream) {
        const reply = chatReply() as { choices: object[] };
        reply.choices = [{ ...reply.choices[0], stop_reason: 'END' }];
        sendJson(response, 200, reply);
        return;
      }
      const chunks = JSON.stringify(chatChunks()).replace('"stop_reason":null', '"stop_reason":"END"');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end((JSON.parse(chunks) as unknown[]).map(sse).join('') + 'data: [DONE]\n\n');
    };
    const messages = [{ role: 'user', content: 'hi' }];
    const body = { model: 'm', max_tokens: 9, messages, stop_sequences: ['END'], stream };
    const text = await (await call('/sessions/one/v1/messages', { body })).text();
    expect(text).toContain('"stop_reason":"stop_sequence","stop_sequence":"END"');
    expect(text).not.toMatch(/token_ids|logprob/);
  });

  it('what cannot be translated is refused in the words of the wire', async () => {
    const { call, engine } = await testBench();
    const image = { type: 'image', source: { type: 'url', url: 'http://x/y.png' } };
    const messages = await call('/v1/messages', {
      body: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [image] }] },
    });
    expect(messages.status).toBe(400);
    expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    const responses = await call('/v1/responses', {
      body: { model: 'm', input: 'x', previous_response_id: 'r' },
    });
    expect(responses.status).toBe(400);
    expect(await responses.json()).toMatchObject({ error: { param: 'previous_response_id' } });
    expect(engine.requests).toHaveLength(0);
  });

  it('count_tokens asks the engine, and estimates where that has no tokenizer route', async () => {
    const { call, engine } = await testBench();
    const body = { model: 'm', messages: [{ role: 'user', content: 'hello there' }] };
    const estimated = await call('/v1/messages/count_tokens?beta=true', { body });
    expect(estimated.headers.get('x-art-token-count')).toBe('estimated');
    expect(await estimated.json()).toEqual({ input_tokens: expect.any(Number) as number });
    let asked = '';
    engine.answerOthers = (request, response) => {
      asked = `${request.url} ${request.text}`;
      sendJson(response, 200, { count: 42, max_model_len: 100, tokens: [] });
    };
    const counted = await call('/v1/messages/count_tokens?beta=true', { body });
    expect(counted.headers.get('x-art-token-count')).toBe('exact');
    expect(await counted.json()).toEqual({ input_tokens: 42 });
    expect(asked).toMatch(/^\/tokenize .*hello there/);
  });

  it('everything else goes through untouched', async () => {
    const { call, engine } = await testBench();
    const models = await call('/sessions/one/v1/models');
    expect(await models.json()).toMatchObject({ object: 'list' });
    engine.answer = (request, response) => {
      response.writeHead(201, { 'content-type': 'x/y', 'x-it': 'yes' }).end(`got ${request.text}`);
    };
    const other = await call('/v1/embeddings?a=b', { body: '{"logprobs" : 1.0}' });
    expect([other.status, other.headers.get('x-it'), await other.text()]).toEqual([
      201,
      'yes',
      'got {"logprobs" : 1.0}',
    ]);
    expect(engine.last().url).toBe('/v1/embeddings?a=b');
  });
});
