import { describe, expect, it, vi } from 'vitest';
import type { GatewayOptions } from '../index.ts';
import { testBench, testEngine, type Bench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, sendJson, type MockAnswer } from '../mock-engine.fixture.ts';

const responses = '/sessions/one/v1/responses';
const messages = '/sessions/one/v1/messages?beta=true';
const captures = '/sessions/one/traces';

const responseText =
  '{ "id":"resp_1","object":"response","status":"completed","model":"gpt-x","big":1152921504606846976,"temperature":1.0,\n "output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Think."}]},{"type":"web_search_call","id":"ws_1","status":"completed"},{"type":"message","id":"m_1","role":"assistant","content":[{"type":"output_text","text":"Hé😀","annotations":[]}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"add","arguments":"{\\"a\\":1}"}],"usage":{"input_tokens":7,"output_tokens":3}}';
const messageText =
  '{"id":"msg_1", "type":"message","role":"assistant","model":"claude-x","content":[{"type":"thinking","thinking":"Think.","signature":"s"},{"type":"text","text":"Hé😀"},{"type":"tool_use","id":"c1","name":"add","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":3}}';
const answer = {
  role: 'assistant',
  content: 'Hé😀',
  reasoning_content: 'Think.',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
};
const captured = {
  capture: 'text_only',
  prompt_token_ids: [],
  completion_token_ids: [],
  messages: [{ role: 'user', content: 'hi' }],
  response_message: answer,
  finish_reason: 'tool_calls',
};

const event = (data: { type: string; [name: string]: unknown }): string =>
  `event: ${data.type}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;
const responseEvents = [
  event({ type: 'response.created', response: { model: 'gpt-x', status: 'in_progress' } }),
  event({ type: 'response.output_text.delta', output_index: 0, delta: 'He says ' }),
  event({ type: 'response.output_text.delta', output_index: 0, delta: '{"type":"response.completed"}' }),
];
const responseEnd = `event: response.completed\ndata: {"type":"response.completed","response":${responseText.replaceAll('\n', '')}}\n\n`;
const messageEvents = [
  event({
    type: 'message_start',
    message: {
      type: 'message',
      model: 'claude-x',
      content: [],
      usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 },
    },
  }),
  ': ping\n\n',
  event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Think.' } }),
  event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'H' } }),
  event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'é😀' } }),
  event({
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'c1', name: 'add', input: {} },
  }),
  event({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a"' } }),
  event({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: ':1}' } }),
  event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } }),
];
const messageEnd = event({ type: 'message_stop' });

const wires = [
  {
    wire: 'responses',
    path: responses,
    body: '{ "model":"m", "input":"hi", "seed":1.0, "store":true }',
    whole: responseText,
    events: responseEvents,
    end: responseEnd,
  },
  {
    wire: 'messages',
    path: messages,
    body: '{"model":"m","max_tokens":9,"temperature":1.0,  "messages":[{"role":"user","content":"hi"}]}',
    whole: messageText,
    events: messageEvents,
    end: messageEnd,
  },
];

async function nativeBench(options: GatewayOptions = {}): Promise<Bench> {
  const engine = await testEngine();
  const bench = await testBench({ workers: [{ url: engine.url, flavour: 'openai' }], ...options });
  return { ...bench, engine };
}

const answerWith =
  (text: string, type = 'application/json'): MockAnswer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type, 'x-request-id': 'r7' }).end(text);
  };

const streaming = (body: string): string => body.replace('{', '{"stream":true,');

describe.each(wires)(
  '$wire on a plain OpenAI engine with the route',
  ({ wire, path, body, whole, events, end }) => {
    it('go there and back byte for byte, and leave a capture of their text', async () => {
      const { call, json, engine } = await nativeBench();
      engine.answer = answerWith(whole);
      const reply = await call(path, { body });
      expect(await reply.text()).toBe(whole);
      expect(reply.headers.get('x-request-id')).toBe('r7');
      expect(engine.requests.map(({ url, text }) => [url, text])).toEqual([
        [path.replace('/sessions/one', ''), body],
      ]);
      expect(await json(captures)).toMatchObject([captured]);
      expect(await json(captures)).toMatchObject([{ wire, engine: 'openai' }]);
    });

    it('are streamed byte for byte, and leave the same capture', async () => {
      const { call, json, engine } = await nativeBench();
      const text = `${events.join('')}${end}: bye\n\n`;
      engine.answer = answerWith(text, 'text/event-stream');
      expect(await (await call(path, { body: streaming(body) })).text()).toBe(text);
      expect(engine.last().text).toBe(streaming(body));
      expect(await json(captures)).toMatchObject([captured]);
      expect(engine.requests).toHaveLength(1);
    });

    it('are in the capture before the agent has the last event', async () => {
      const { call, json, engine } = await nativeBench();
      const { promise: asked, resolve: goOn } = Promise.withResolvers<void>();
      engine.answer = async (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events.join('') + end);
        await asked;
        response.end();
      };
      const reader = (await call(path, { body: streaming(body) })).body!.getReader();
      const decoder = new TextDecoder();
      const read = async (): Promise<string> => {
        const { value, done } = await reader.read();
        if (done) throw new Error('Expected the stream to continue.');
        return decoder.decode(value, { stream: true });
      };
      let seen = '';
      while (seen.length < events.join('').length) seen += await read();
      expect(seen).toBe(events.join(''));
      expect(await json(captures)).toEqual([]);
      goOn();
      expect(await read()).toBe(end);
      expect(await json(captures)).toHaveLength(1);
    });

    it('that break off in mid-stream leave a partial capture', async () => {
      const { call, json, engine } = await nativeBench();
      engine.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events.join(''), () => response.destroy());
      };
      const text = await (await call(path, { body: streaming(body) })).text();
      expect(text.startsWith(events.join(''))).toBe(true);
      expect(text.slice(events.join('').length)).toContain('error');
      expect(await json(captures)).toMatchObject([{ capture: 'partial' }]);
    });

    it('that the agent leaves are cancelled, and leave a partial capture', async () => {
      const { call, json, engine } = await nativeBench();
      engine.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events.join(''));
      };
      const leaving = new AbortController();
      const reply = await call(path, { body: streaming(body), signal: leaving.signal });
      await reply.body!.getReader().read();
      leaving.abort();
      await engine.last().dropped;
      await vi.waitFor(async () => expect(await json(captures)).toMatchObject([{ capture: 'partial' }]));
    });

    it.each([404, 405])(
      'are translated in the same call where the route answers %i, and from then on',
      async (status) => {
        const { call, json, engine } = await nativeBench();
        engine.answer = (request, response) => {
          if (request.url === '/v1/chat/completions') return answerAsVllm(request, response);
          return sendJson(response, status, { detail: 'Not Found' });
        };
        expect(await (await call(path, { body })).text()).toContain('Hello from mock!');
        expect(await (await call(path, { body: streaming(body) })).text()).toContain(' from');
        expect(engine.requests.map(({ url }) => url)).toEqual([
          path.replace('/sessions/one', ''),
          '/v1/chat/completions',
          '/v1/chat/completions',
        ]);
        expect(await json(captures)).toMatchObject([{ wire }, { wire }]);
      },
    );

    it('keep a refusal of the engine, a model that it does not know included', async () => {
      const { call, json, engine } = await nativeBench();
      const refusal = '{"error":{"message":"The model `m` does not exist", "code":"model_not_found"}}';
      engine.answer = (_request, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end(refusal);
      };
      for (const _again of [1, 2]) {
        const reply = await call(path, { body });
        expect([reply.status, await reply.text()]).toEqual([404, refusal]);
      }
      expect(engine.requests.map(({ url }) => url)).not.toContain('/v1/chat/completions');
      expect(await json(captures)).toEqual([]);
    });

    it.each(['<html>', '[]', '{"output":7,"content":7}', '{}'])(
      'never fail for a capture: %s',
      async (odd) => {
        const { call, engine } = await nativeBench();
        engine.answer = answerWith(odd);
        const reply = await call(path, { body });
        expect([reply.status, await reply.text()]).toEqual([200, odd]);
        engine.answer = answerWith(`data: ${odd}\n\n`, 'text/event-stream');
        expect(await (await call(path, { body: streaming(body) })).text()).toBe(`data: ${odd}\n\n`);
      },
    );
  },
);

describe('what only the native route takes', () => {
  const image = { type: 'image', source: { type: 'url', url: 'http://x/y.png' } };
  const withImage = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [image] }] };

  it('reaches it, and is traced without messages', async () => {
    const { call, json, engine } = await nativeBench();
    engine.answer = answerWith(messageText);
    expect(await (await call(messages, { body: withImage })).text()).toBe(messageText);
    expect(await json(captures)).toMatchObject([{ messages: [], response_message: answer }]);
  });

  it('is refused in the words of the wire where there is no such route', async () => {
    const { call, engine } = await nativeBench();
    engine.answer = (_request, response) => sendJson(response, 404, { detail: 'Not Found' });
    const reply = await call(messages, { body: withImage });
    expect([reply.status, await reply.json()]).toMatchObject([400, { type: 'error' }]);
    expect(engine.requests).toHaveLength(1);
  });
});

describe('a native call', () => {
  it('gets the model of the gateway and the sampling parameters of the session, as its wire names them', async () => {
    const { call, engine, json } = await nativeBench({ model: 'served' });
    const sampling_params = { temperature: 0.5, max_tokens: 64, stop: 'END' };
    await json('/sessions', { body: { session_id: 'one', sampling_params } });
    engine.answer = answerWith(messageText);
    await call(messages, { body: wires[1]!.body });
    expect(JSON.parse(engine.last().text)).toEqual({
      model: 'served',
      max_tokens: 64,
      temperature: 0.5,
      stop_sequences: ['END'],
      messages: [{ role: 'user', content: 'hi' }],
    });
    engine.answer = answerWith(responseText);
    await call(responses, { body: wires[0]!.body });
    expect(JSON.parse(engine.last().text)).toMatchObject({ max_output_tokens: 64, temperature: 0.5 });
  });

  it('that failed in the engine leaves no capture', async () => {
    const { call, json, engine } = await nativeBench();
    engine.answer = answerWith('{"object":"response","status":"failed","error":{"message":"x"},"output":[]}');
    await call(responses, { body: wires[0]!.body });
    const failed = event({
      type: 'response.failed',
      response: { status: 'failed', error: { message: 'x' } },
    });
    engine.answer = answerWith(failed, 'text/event-stream');
    expect(await (await call(responses, { body: streaming(wires[0]!.body) })).text()).toBe(failed);
    const error = event({ type: 'error', error: { type: 'overloaded_error', message: 'x' } });
    engine.answer = answerWith(error, 'text/event-stream');
    expect(await (await call(messages, { body: streaming(wires[1]!.body) })).text()).toBe(error);
    expect(await json(captures)).toEqual([]);
  });

  it('keeps its raw bodies where it is asked to', async () => {
    const { call, json, engine } = await nativeBench({ keepRawBodies: true });
    engine.answer = answerWith(messageText);
    await call(messages, { body: wires[1]!.body });
    expect(await json(captures)).toMatchObject([
      { raw_request: JSON.parse(wires[1]!.body), raw_response: JSON.parse(messageText) },
    ]);
  });

  it('is not made to engines that give token ids', async () => {
    const { call, json, engine } = await testBench();
    for (const { path, body } of wires) await (await call(path, { body })).text();
    expect(engine.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
    expect(await json(captures)).toMatchObject([{ capture: 'complete' }, { capture: 'complete' }]);
  });
});
