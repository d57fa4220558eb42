import { afterEach, describe, expect, it, vi } from 'vitest';
import { getContext } from '../request/request-context.ts';
import { invocation, sessionId, testApp, type TestApp } from '../test-app.fixture.ts';
import { formatEvent } from './event-stream.ts';

let made: TestApp;

afterEach(() => made?.app.close());

describe('formatEvent', () => {
  it.each([
    ['text', 'plain', 'data: plain\n\n'],
    ['text of several lines', 'a\nb\r\nc', 'data: a\ndata: b\ndata: c\n\n'],
    ['bytes', Buffer.from('raw'), 'data: raw\n\n'],
    ['an object', { a: 'x\ny' }, 'data: {"a":"x\\ny"}\n\n'],
    ['a number', 1, 'data: 1\n\n'],
    ['nothing', undefined, 'data: null\n\n'],
    [
      'a message',
      { data: { a: 1 }, event: 'token', id: '7', retry: 5 },
      'id: 7\nevent: token\ndata: {"a":1}\nretry: 5\n\n',
    ],
    ['a message of text', { data: 'x' }, 'data: "x"\n\n'],
    ['an object that only has data among others', { data: 1, type: 'x' }, 'data: {"data":1,"type":"x"}\n\n'],
    [
      'a name that would start another field',
      { data: 1, event: 'a\ndata: 2' },
      'event: a data: 2\ndata: 1\n\n',
    ],
  ])('writes %s', (_name, chunk, text) => {
    expect(formatEvent(chunk)).toBe(text);
  });
});

describe('streams', () => {
  it.each([
    [
      'an async generator',
      async function* () {
        yield 'a';
        await Promise.resolve();
        yield { b: 1 };
      },
    ],
    [
      'a generator',
      function* () {
        yield 'a';
        yield { b: 1 };
      },
    ],
    [
      'a promise of a generator',
      async () =>
        (async function* () {
          yield 'a';
          yield { b: 1 };
        })(),
    ],
  ])('sends what %s yields', async (_name, process) => {
    made = testApp({ invocationHandler: { process } });
    const answer = await made.app.inject(invocation({}));
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.body).toBe('data: a\n\ndata: {"b":1}\n\n');
  });

  it('says in the stream that it failed, in the fields of both SDKs', async () => {
    made = testApp({
      invocationHandler: {
        process: async function* () {
          yield 1;
          throw new TypeError('boom');
        },
      },
    });
    const answer = await made.app.inject(invocation({}));
    expect(answer.body).toBe(
      'data: 1\n\nevent: error\ndata: {"error":"boom","error_type":"TypeError","message":"An error occurred during streaming"}\n\n',
    );
    expect(made.lines).toContainEqual(expect.objectContaining({ level: 'ERROR', errorMessage: 'boom' }));
  });

  it('finds its context while it is read', async () => {
    made = testApp({
      invocationHandler: {
        process: async function* () {
          yield getContext()?.sessionId;
          await new Promise(setImmediate);
          yield getContext()?.sessionId;
        },
      },
    });
    expect((await made.app.inject(invocation({}))).body).toBe(`data: ${sessionId}\n\n`.repeat(2));
  });

  it('connects before the first event, and closes the generator when the reader goes', async () => {
    const gate = Promise.withResolvers<void>();
    const closed = vi.fn();
    let signal: AbortSignal | undefined;
    made = testApp({
      invocationHandler: {
        process: async function* (_request, context) {
          signal = context.signal;
          try {
            await gate.promise;
            for (;;) {
              yield 'tick';
              await new Promise(setImmediate);
            }
          } finally {
            closed();
          }
        },
      },
    });
    await made.app.listen({ port: 0, host: '127.0.0.1' });
    const controller = new AbortController();
    const response = await fetch(`http://127.0.0.1:${made.app.port}/invocations`, {
      method: 'POST',
      body: '{}',
      signal: controller.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    gate.resolve();
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^data: tick\n\n/);
    controller.abort();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
    expect(signal?.aborted).toBe(true);
  });
});
