import { describe, expect, it, vi } from 'vitest';
import { ArtError } from '@art/ground';
import { chatCall, testBench, testEngine, type Bench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, sendJson } from '../mock-engine.fixture.ts';
import { MemoryCaptureStore } from '../store/memory-capture-store.ts';

const chat = '/sessions/one/v1/chat/completions';
const messages = '/sessions/one/v1/messages';
const messagesCall = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

const noCapture = async ({ json }: Bench): Promise<void> => {
  expect(await json('/sessions/one/traces')).toEqual([]);
};

describe('without a worker', () => {
  it('the agent gets 503 in the words of its wire', async () => {
    const bench = await testBench({ workers: [] });
    const reply = await bench.call(chat, { body: chatCall });
    expect([reply.status, await reply.json()]).toEqual([
      503,
      {
        error: {
          message: expect.stringContaining('No healthy workers available') as string,
          type: 'service_unavailable',
          param: null,
          code: 'no_healthy_worker',
        },
      },
    ]);
    const anthropic = await bench.call(messages, { body: messagesCall });
    expect([anthropic.status, await anthropic.json()]).toMatchObject([
      503,
      { type: 'error', error: { type: 'api_error' } },
    ]);
    expect((await bench.call('/v1/models')).status).toBe(503);
    await noCapture(bench);
  });

  it('that answers, the agent gets 502', async () => {
    const bench = await testBench({ retry: { connectionAttempts: 1, baseDelayMs: 1 } });
    await bench.engine.close();
    for (const body of [chatCall, { ...chatCall, stream: true }]) {
      const reply = await bench.call(chat, { body });
      expect([reply.status, await reply.json()]).toMatchObject([
        502,
        { error: { code: 'engine_unreachable' } },
      ]);
    }
    await noCapture(bench);
  });
});

describe('a refusal of the engine', () => {
  it.each([false, true])('keeps its status and its bytes, streamed: %s', async (stream) => {
    const bench = await testBench();
    const refusal = '{"object":"error", "message":"too long","code":400.0}';
    bench.engine.answer = (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
    };
    const reply = await bench.call(chat, { body: { ...chatCall, stream } });
    expect([reply.status, await reply.text()]).toEqual([400, refusal]);
    await noCapture(bench);
  });

  it('is told in the words of a translated wire', async () => {
    const bench = await testBench();
    bench.engine.answer = (_request, response) =>
      sendJson(response, 400, { error: { message: 'too long', type: 'BadRequestError' } });
    const reply = await bench.call(messages, { body: messagesCall });
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } },
    ]);
  });

  it('that is no JSON is explained, with its status', async () => {
    const bench = await testBench({ retry: false });
    bench.engine.answer = (_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    };
    const reply = await bench.call(chat, { body: chatCall });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect([reply.status, await reply.json()]).toEqual([
      502,
      {
        error: {
          message: expect.stringContaining('<h1>Bad Gateway</h1>') as string,
          type: 'upstream_error',
          param: null,
          code: 'upstream_error',
        },
      },
    ]);
    await noCapture(bench);
  });

  it("of a body that is no JSON object is the engine's own", async () => {
    const bench = await testBench();
    bench.engine.answer = (request, response) => sendJson(response, 422, { detail: request.text });
    for (const body of ['not json', '[1,2]']) {
      const reply = await bench.call(chat, { body });
      expect([reply.status, await reply.json()]).toEqual([422, { detail: body }]);
    }
    await noCapture(bench);
  });
});

describe('an answer that is none', () => {
  it.each(['this is not valid json{{{', '', '<html>'])('becomes 502: %j', async (text) => {
    const bench = await testBench();
    bench.engine.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    const reply = await bench.call(chat, { body: chatCall });
    expect([reply.status, await reply.json()]).toMatchObject([502, { error: { code: 'unreadable_reply' } }]);
    await noCapture(bench);
  });

  it('but an error under status 200 is passed on', async () => {
    const bench = await testBench();
    const error = { error: { message: 'no', type: 'x', param: null, code: null } };
    bench.engine.answer = (_request, response) => sendJson(response, 200, error);
    expect(await bench.json(chat, { body: chatCall })).toEqual(error);
    await noCapture(bench);
  });
});

describe('what may pass is tried again', () => {
  const retry = { baseDelayMs: 1, attempts: 3, serverErrorAttempts: 1 };

  it.each([408, 429, 500, 502, 503, 504])('status %i', async (status) => {
    const bench = await testBench({ retry });
    bench.engine.answer = (request, response) => {
      if (bench.engine.requests.length > 1) return answerAsVllm(request, response);
      return sendJson(response, status, { error: 'busy' });
    };
    expect((await bench.call(chat, { body: chatCall })).status).toBe(200);
    expect(bench.engine.requests).toHaveLength(2);
    expect(await bench.json('/sessions/one/traces')).toHaveLength(1);
    expect(await (await bench.call('/metrics')).text()).toContain(
      `art_gateway_retries_total{reason="${status}"} 1`,
    );
  });

  it('but not for ever, and then the last refusal is passed on', async () => {
    const bench = await testBench({ retry });
    bench.engine.answer = (_request, response) =>
      sendJson(response, 429, { error: 'busy' }, { 'retry-after': '0' });
    const reply = await bench.call(chat, { body: chatCall });
    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      429,
      '0',
      { error: 'busy' },
    ]);
    expect(bench.engine.requests).toHaveLength(4);
  });

  it('a connection that breaks before the status or in mid-reply', async () => {
    const bench = await testBench({ retry });
    bench.engine.answer = (request, response) => {
      switch (bench.engine.requests.length) {
        case 1:
          response.destroy();
          return undefined;
        case 2:
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"id":', () => response.destroy());
          return undefined;
        default:
          return answerAsVllm(request, response);
      }
    };
    expect((await bench.call(chat, { body: chatCall })).status).toBe(200);
    expect(bench.engine.requests).toHaveLength(3);
    expect(await bench.json('/sessions/one/traces')).toHaveLength(1);
  });

  it('at another worker where one refuses the connection', async () => {
    const dead = await testEngine();
    const alive = await testEngine();
    await dead.close();
    const { call } = await testBench({
      workers: [dead, alive].map(({ url }) => ({ url, flavour: 'vllm' as const })),
      retry: { baseDelayMs: 60_000 },
    });
    for (const session of ['a', 'b', 'c', 'd']) {
      expect((await call(`/sessions/${session}/v1/chat/completions`, { body: chatCall })).status).toBe(200);
    }
    expect(alive.requests).toHaveLength(4);
  });

  it('never what the engine rules out', async () => {
    const bench = await testBench({ retry });
    for (const status of [400, 401, 404, 422, 501]) {
      bench.engine.answer = (_request, response) => sendJson(response, status, { error: 'no' });
      expect((await bench.call(chat, { body: chatCall })).status).toBe(status);
    }
    expect(bench.engine.requests).toHaveLength(5);
  });
});

describe('a capture that cannot be kept', () => {
  class BrokenStore extends MemoryCaptureStore {
    override append(): Promise<void> {
      return Promise.reject(new ArtError({ code: 'ART_GATEWAY_STORE_FULL', message: 'No room.' }));
    }
  }

  it('fails the call, so that the agent does not continue from what nobody has', async () => {
    const { call } = await testBench({ store: new BrokenStore() });
    const reply = await call(chat, { body: chatCall });
    expect([reply.status, await reply.json()]).toMatchObject([
      503,
      { error: { code: 'capture_store_full' } },
    ]);
  });

  it('ends a stream with an error instead of its end', async () => {
    const { call } = await testBench({ store: new BrokenStore() });
    const text = await (await call(chat, { body: { ...chatCall, stream: true } })).text();
    expect(text).toContain('capture_store_full');
    expect(text).not.toContain('[DONE]');
  });
});

describe('an agent that leaves', () => {
  it('has its call cancelled in the engine, and no capture of what it has not seen', async () => {
    const bench = await testBench();
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    bench.engine.answer = () => tellAsked();
    const leave = new AbortController();
    const call = bench.call(chat, { body: chatCall, signal: leave.signal });
    await asked;
    leave.abort();
    await expect(call).rejects.toThrow('aborted');
    await bench.engine.last().dropped;
    await noCapture(bench);
    await vi.waitFor(async () => {
      expect(await (await bench.call('/metrics')).text()).toContain('status="499"');
    });
  });
});

describe('what never reaches an engine', () => {
  it('is a body that is too long or compressed', async () => {
    const { call, engine } = await testBench({ bodyLimitBytes: 200 });
    const long = JSON.stringify({ ...chatCall, x: 'y'.repeat(300) });
    const tooLong = await call(chat, { body: long });
    expect([tooLong.status, await tooLong.json()]).toMatchObject([
      413,
      { error: { code: 'request_too_large' } },
    ]);
    const stream = new Blob([long]).stream();
    const chunked = await fetch((await testBench({ bodyLimitBytes: 200 })).gateway.url + chat, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
    const packed = await call(chat, { body: chatCall, headers: { 'content-encoding': 'gzip' } });
    expect(packed.status).toBe(415);
    expect(engine.requests).toHaveLength(0);
  });

  it('is the request of a web page', async () => {
    const { call, engine } = await testBench();
    for (const headers of [{ origin: 'http://evil' }, { 'sec-fetch-site': 'cross-site' }]) {
      for (const path of [chat, '/sessions', '/admin/flush']) {
        const reply = await call(path, {
          method: 'POST',
          body: chatCall,
          headers,
        });
        expect([path, reply.status]).toEqual([path, 403]);
        expect(reply.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
    expect(engine.requests).toHaveLength(0);
  });

  it('is a control request without the admin token', async () => {
    const { call } = await testBench({ auth: { adminToken: 'secret' } });
    const status = async (path: string, headers = {}): Promise<number> =>
      (await call(path, { headers })).status;
    expect(await status('/health')).toBe(200);
    expect(await status('/sessions')).toBe(401);
    expect(await status('/metrics')).toBe(401);
    expect(await status('/sessions', { authorization: 'Bearer wrong' })).toBe(401);
    expect(await status('/sessions', { authorization: 'Bearer secret' })).toBe(200);
    expect((await call(chat, { body: chatCall })).status).toBe(200);
  });
});
