import { afterEach, describe, expect, it, vi } from 'vitest';
import { InfrastructureError } from '../infrastructure/infrastructure-error.ts';
import { getContext, type RequestContext } from '../request/request-context.ts';
import { invocation, resultKey, rip, sessionId, target, testApp, type TestApp } from '../test-app.fixture.ts';
import type { AgentCoreRLAppOptions } from '../app-options.ts';

type Process = (request: Record<string, unknown>, context: RequestContext) => unknown;

let made: TestApp;

afterEach(() => made.app.close());

function app(process: Process, options: AgentCoreRLAppOptions = {}): void {
  made = testApp({ invocationHandler: { process }, ...options });
}

/** Runs one rollout and returns the document. */
async function rollout(process: Process, options: AgentCoreRLAppOptions = {}) {
  app(process, options);
  await made.app.inject(invocation({ _rollout: target }));
  return document();
}

function document(): Promise<Record<string, unknown>> {
  return vi.waitFor(async () => {
    const stored = await made.stored(resultKey);
    expect(stored).toBeDefined();
    return stored!;
  });
}

const answer = { text: 'hello', reward: 1 };

async function* agent() {
  yield 'hel';
  await Promise.resolve();
  yield 'lo';
  return answer;
}

function* plainAgent() {
  yield 'hello';
  return answer;
}

describe('a handler that streams', () => {
  it.each<[string, Process]>([
    ['an async generator', agent],
    ['a generator', plainAgent],
    ['a function that returns a generator', () => agent()],
    ['an async function that returns one', async () => Promise.resolve(plainAgent())],
    [
      'its own iterable',
      () => {
        let taken = 0;
        const next = (): Promise<IteratorResult<string, unknown>> => {
          taken += 1;
          return Promise.resolve(taken < 3 ? { done: false, value: 'x' } : { done: true, value: answer });
        };
        return { [Symbol.asyncIterator]: () => ({ next }) };
      },
    ],
  ])('gives a rollout what %s returns', async (_name, process) => {
    expect(await rollout(process)).toMatchObject({ status_code: 200, text: 'hello', reward: 1, rewards: 1 });
  });

  it('gives users what it yields, and trainers over RIP what it returns', async () => {
    app(agent);
    const users = await made.app.inject(invocation({}));
    expect(users.headers['content-type']).toBe('text/event-stream');
    expect(users.body).toBe('data: hel\n\ndata: lo\n\n');
    const trained = await made.app.inject(invocation(rip('start', 'a', { _config: {} })));
    expect(trained.json()).toMatchObject({ status: 'completed', result: answer });
    const plain = await made.app.inject(invocation(rip('start', 'b')));
    expect(plain.json()).toMatchObject({ status: 'completed', result: answer });
  });

  it('may be a rollout handler', async () => {
    const options = { rolloutHandler: { process: agent } };
    expect(await rollout(agent, options)).toMatchObject({ status_code: 200, rewards: 1 });
  });

  it.each<[string, Process, RegExp]>([
    [
      'nothing',
      async function* () {
        yield 1;
      },
      /stream of invocationHandler \(an instance of AsyncGenerator\).*return \{ text, reward \}/,
    ],
    [
      'nothing, named',
      async function* chat() {
        yield 1;
      },
      /stream of chat /,
    ],
    [
      'nothing: a stream of the platform',
      () => ReadableStream.from(['a', 'b']),
      /an instance of ReadableStream.*got nothing/,
    ],
    [
      'no object',
      async function* () {
        yield 1;
        return 'hello';
      },
      /must be an object.*got "hello"/,
    ],
    [
      'another stream',
      async function* () {
        yield 1;
        return agent();
      },
      /must be an object.*AsyncGenerator/,
    ],
  ])('is refused where it returns %s', async (_name, process, reason) => {
    const stored = await rollout(process);
    expect(stored).toMatchObject({ status_code: 500, stop_reason: expect.stringMatching(reason) });
  });

  it.each([
    ['an error', new Error('boom'), { status_code: 500, stop_reason: 'boom' }],
    ['an outage', new InfrastructureError('down'), { status_code: 503, message: 'down' }],
  ])('may throw %s midway', async (_name, error, expected) => {
    const ended = vi.fn();
    const stored = await rollout(async function* () {
      try {
        yield 1;
        throw error;
      } finally {
        ended();
      }
    });
    expect(stored).toMatchObject(expected);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('finds its context after every yield', async () => {
    const seen: unknown[] = [];
    await rollout(async function* () {
      for (let turn = 0; turn < 3; turn += 1) {
        seen.push(getContext()?.sessionId);
        yield turn;
      }
      return answer;
    });
    expect(seen).toEqual([sessionId, sessionId, sessionId]);
  });
});

describe('a handler that streams and is told to stop', () => {
  /** A generator that waits for a gate between two yields; `last` is what follows the second one. */
  function gated(gate: Promise<void>, ended: () => void): Process {
    return async function* () {
      try {
        yield 1;
        await gate;
        yield 2;
        return answer;
      } finally {
        ended();
      }
    };
  }

  it('is closed at its next yield, so that its finally blocks run', async () => {
    const gate = Promise.withResolvers<void>();
    const ended = vi.fn();
    app(gated(gate.promise, ended));
    await made.app.inject(invocation({ _rollout: target }));
    await new Promise(setImmediate);
    const closing = made.app.close();
    gate.resolve();
    await closing;
    expect(ended).toHaveBeenCalledOnce();
    expect(await document()).toMatchObject({ status_code: 503, stop_reason: 'terminated' });
  });

  it('leaves its result where it returns without a further yield', async () => {
    const gate = Promise.withResolvers<void>();
    app(async function* () {
      yield 1;
      await gate.promise;
      return answer;
    });
    await made.app.inject(invocation({ _rollout: target }));
    await new Promise(setImmediate);
    const closing = made.app.close();
    gate.resolve();
    await closing;
    expect(await document()).toMatchObject({ status_code: 200, rewards: 1 });
  });

  it('is ended by maxRolloutMs also where it never waits for anything', async () => {
    const ended = vi.fn();
    const process = function* () {
      try {
        for (;;) yield 1;
      } finally {
        ended();
      }
    };
    expect(await rollout(process, { maxRolloutMs: 5 })).toMatchObject({ status_code: 504 });
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });

  it('may fail while it is closed', async () => {
    const gate = Promise.withResolvers<void>();
    app(
      gated(gate.promise, () => {
        throw new Error('no such folder');
      }),
    );
    await made.app.inject(invocation({ _rollout: target }));
    await new Promise(setImmediate);
    const closing = made.app.close();
    gate.resolve();
    await closing;
    expect(await document()).toMatchObject({ stop_reason: 'terminated' });
    expect(made.lines.map((line) => line['message'])).toContain(
      'A stream that was closed ended with an error',
    );
  });
});
