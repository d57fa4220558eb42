import { request as httpRequest } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { chatCall, testBench, type Bench } from '../gateway-bench.fixture.ts';
import { chatChunks, mockTurn, sse, type MockAnswer } from '../mock-engine.fixture.ts';
import { MemoryCaptureStore } from '../store/memory-capture-store.ts';

const chat = '/sessions/one/v1/chat/completions';
const streamCall = { ...chatCall, stream: true };
const eventStream = { 'content-type': 'text/event-stream' };

/** Answers with the first chunks, and continues when it is let go. */
function pausing(after: number): { answer: MockAnswer; release: () => void } {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const answer: MockAnswer = async (_request, response) => {
    const chunks = chatChunks();
    response.writeHead(200, eventStream);
    for (const chunk of chunks.slice(0, after)) response.write(sse(chunk));
    await go;
    for (const chunk of chunks.slice(after)) response.write(sse(chunk));
    response.end('data: [DONE]\n\n');
  };
  return { answer, release };
}

function reader(reply: Response): () => Promise<string> {
  const stream = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  return async () => (await stream.read()).value ?? '';
}

async function captures({ json }: Bench): Promise<Record<string, unknown>[]> {
  return (await json('/sessions/one/traces')) as Record<string, unknown>[];
}

describe('a stream', () => {
  it('is passed on as it comes, header first', async () => {
    const bench = await testBench();
    const { answer, release } = pausing(2);
    bench.engine.answer = answer;
    const reply = await bench.call(chat, { body: streamCall });
    const read = reader(reply);
    let text = '';
    while (!text.includes('Hello')) text += await read();
    expect(text).not.toContain('mock!');
    release();
    while (!text.includes('[DONE]')) text += await read();
    expect(text).toContain('mock!');
  });

  it.each([{}, { 'content-type': 'text/plain; charset=utf-8' }, { 'content-type': 'TEXT/Event-Stream' }])(
    'is known whatever the engine calls it: %j',
    async (headers) => {
      const bench = await testBench();
      bench.engine.answer = (_request, response) => {
        response.writeHead(200, headers);
        response.end([...chatChunks().map(sse), 'data: [DONE]\n\n'].join(''));
      };
      const reply = await bench.call(chat, { body: streamCall });
      expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(await reply.text()).toContain('[DONE]');
      expect(await captures(bench)).toMatchObject([
        { capture: 'complete', completion_token_ids: mockTurn.tokenIds },
      ]);
    },
  );

  it('sends its headers before the first event', async () => {
    const bench = await testBench();
    bench.engine.answer = (_request, response) => {
      response.writeHead(200, eventStream).flushHeaders();
    };
    const reply = await bench.call(chat, { body: streamCall });
    expect(reply.status).toBe(200);
    await reply.body?.cancel();
  });

  it('ends only when its capture is stored', async () => {
    const { promise: stored, resolve: letStore } = Promise.withResolvers<void>();
    class SlowStore extends MemoryCaptureStore {
      override async append(...args: Parameters<MemoryCaptureStore['append']>): Promise<void> {
        await stored;
        await super.append(...args);
      }
    }
    const bench = await testBench({ store: new SlowStore() });
    const read = reader(await bench.call(chat, { body: streamCall }));
    let text = '';
    while (!text.includes('"finish_reason":"stop"')) text += await read();
    expect(text).not.toContain('[DONE]');
    expect(await captures(bench)).toEqual([]);
    letStore();
    while (!text.includes('[DONE]')) text += await read();
    expect(await captures(bench)).toHaveLength(1);
  });

  it('is cancelled in the engine when the agent leaves, and what was sampled is kept as partial', async () => {
    const bench = await testBench();
    bench.engine.answer = pausing(2).answer;
    const leave = new AbortController();
    const reply = await bench.call(chat, { body: streamCall, signal: leave.signal });
    const read = reader(reply);
    let text = '';
    while (!text.includes('Hello')) text += await read();
    leave.abort();
    await bench.engine.last().dropped;
    await vi.waitFor(async () => {
      expect(await captures(bench)).toMatchObject([
        {
          capture: 'partial',
          prompt_token_ids: mockTurn.promptTokenIds,
          completion_token_ids: mockTurn.tokenIds.slice(0, 1),
          finish_reason: null,
        },
      ]);
    });
    expect(await bench.json('/sessions/one')).toMatchObject({ incomplete_count: 1, active_calls: 0 });
    expect(await (await bench.call('/metrics')).text()).toContain('status="499"');
  });

  it('of SGLang is cancelled by its id as well', async () => {
    const bench = await testBench();
    bench.engine.answer = pausing(2).answer;
    const others: string[] = [];
    bench.engine.answerOthers = (request, response) => {
      others.push(`${request.method} ${request.url} ${request.text}`);
      response.end();
    };
    await bench.json('/admin/workers/0', { method: 'DELETE' });
    await bench.json('/admin/workers', { body: { url: bench.engine.url, flavour: 'sglang' } });
    const leave = new AbortController();
    const reply = await bench.call(chat, { body: streamCall, signal: leave.signal });
    await reader(reply)();
    leave.abort();
    await vi.waitFor(() => expect(others).toContain('POST /abort_request {"rid":"chatcmpl-mock"}'));
  });

  it.each([
    ['by a reset', (response: Parameters<MockAnswer>[1]) => response.destroy()],
    ['as if it were complete', (response: Parameters<MockAnswer>[1]) => response.end()],
  ])('that the engine breaks off %s ends with an error, and is kept as partial', async (_name, breakOff) => {
    const bench = await testBench();
    bench.engine.answer = (_request, response) => {
      response.writeHead(200, eventStream);
      response.write(chatChunks().slice(0, 3).map(sse).join(''), () => breakOff(response));
    };
    const text = await (await bench.call(chat, { body: streamCall })).text();
    expect(text).toMatch(/data: \{"error":\{"message":".*","type":"upstream_error".*\}\}\n\n$/);
    expect(text).not.toContain('[DONE]');
    expect(await captures(bench)).toMatchObject([{ capture: 'partial', completion_token_ids: [10, 11] }]);
  });

  it("in a translated wire ends with that wire's error", async () => {
    const bench = await testBench();
    bench.engine.answer = (_request, response) => {
      response.writeHead(200, eventStream);
      response.write(chatChunks().slice(0, 3).map(sse).join(''), () => response.destroy());
    };
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], stream: true };
    const text = await (await bench.call('/sessions/one/v1/messages', { body })).text();
    expect(text).toContain('event: error');
    expect(text).not.toContain('message_stop');
  });

  it('with an error of the engine inside is passed on', async () => {
    const bench = await testBench();
    const error = sse({ error: { message: 'out of memory', code: 500 } });
    bench.engine.answer = (_request, response) => {
      response.writeHead(200, eventStream);
      response.end(sse(chatChunks()[0]) + error + 'data: [DONE]\n\n');
    };
    const text = await (await bench.call(chat, { body: streamCall })).text();
    expect(text).toContain(error);
    expect(text).toContain('[DONE]');
    expect((await captures(bench)).every((capture) => capture['capture'] !== 'complete')).toBe(true);
  });

  it('is read no faster than the agent reads', async () => {
    const bench = await testBench();
    const megabyte = 'x'.repeat(1_000_000);
    let written = 0;
    const total = 200;
    bench.engine.answer = async (_request, response) => {
      let wake = (): void => undefined;
      response.on('drain', () => wake()).on('close', () => wake());
      response.writeHead(200, eventStream);
      for (; written < total; written += 1) {
        const chunk = { choices: [{ index: 0, delta: { content: megabyte }, finish_reason: null }] };
        if (!response.write(sse(chunk))) {
          await new Promise((resolve) => {
            wake = () => resolve(undefined);
          });
        }
        if (response.destroyed) return;
      }
      response.end('data: [DONE]\n\n');
    };
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const call = httpRequest(bench.gateway.url + '/v1/chat/completions', { method: 'POST' }, (response) => {
      response.pause();
      resolve();
    });
    call.end(JSON.stringify(streamCall));
    await started;
    // It comes to a halt: the same count at two moments that are far apart.
    let before = -1;
    await vi.waitFor(
      () => {
        const now = written;
        const halted = now > 0 && now === before;
        before = now;
        expect(halted).toBe(true);
      },
      { interval: 250 },
    );
    expect(written).toBeLessThan(total);
    call.destroy();
  });
});
