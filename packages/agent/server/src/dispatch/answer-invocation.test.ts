import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { getContext, type RequestContext } from '../request/request-context.ts';
import { invocation, sessionId, target, testApp, type TestApp, throwing } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

function answering(process: (request: Record<string, unknown>, context: RequestContext) => unknown): TestApp {
  made = testApp({ invocationHandler: { process } });
  return made;
}

describe('production traffic', () => {
  it.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['text', 'hello', '"hello"'],
    ['nothing', undefined, 'null'],
    ['a big integer', { id: 12345678901234567890n }, '{"id":12345678901234567890}'],
  ])('is answered with %s as JSON', async (_name, value, body) => {
    const answer = await answering(() => value).app.inject(invocation({}));
    expect([answer.statusCode, answer.body]).toEqual([200, body]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each([
    [
      'an error',
      () => {
        throw new Error('boom');
      },
      500,
      'boom',
    ],
    [
      'an error with a status',
      () => {
        throw Object.assign(new Error('no such city'), { statusCode: 404 });
      },
      404,
      'no such city',
    ],
    [
      'an error with a status that is none',
      () => {
        throw Object.assign(new Error('odd'), { statusCode: 200 });
      },
      500,
      'odd',
    ],
    ['text', throwing('just text'), 500, 'just text'],
  ])('is answered with %s that the handler throws', async (_name, process, status, error) => {
    const answer = await answering(process).app.inject(invocation({}));
    expect([answer.statusCode, answer.body]).toEqual([status, JSON.stringify({ error })]);
  });

  it('is answered with the path of what JSON cannot hold', async () => {
    const answer = await answering(() => ({ score: Number.NaN })).app.inject(invocation({}));
    expect(answer.statusCode).toBe(500);
    expect(answer.json<{ error: string }>().error).toContain('$.score');
  });

  it('must be an object where no schema says otherwise', async () => {
    const answer = await answering(() => 1).app.inject({
      method: 'POST',
      url: '/invocations',
      payload: '[1]',
    });
    expect(answer.statusCode).toBe(400);
  });

  it('finds its context after awaits', async () => {
    const { app } = answering(async () => {
      await new Promise(setImmediate);
      return getContext()?.sessionId;
    });
    expect((await app.inject(invocation({}))).json()).toBe(sessionId);
    expect(getContext()).toBeUndefined();
  });

  it('goes to its own handler, rollouts to theirs', async () => {
    const rollout = vi.fn(() => ({ rewards: 1 }));
    made = testApp({
      rolloutHandler: { process: rollout },
      invocationHandler: { process: () => 'production' },
    });
    expect((await made.app.inject(invocation({ a: 1 }))).json()).toBe('production');
    expect(rollout).not.toHaveBeenCalled();
    expect((await made.app.inject(invocation({ _rollout: target }))).json()).toMatchObject({
      status: 'processing',
    });
  });

  it('says that there is no handler', async () => {
    made = testApp();
    const answer = await made.app.inject(invocation({}));
    expect([answer.statusCode, answer.body]).toEqual([500, '{"error":"No entrypoint defined"}']);
    expect(answer.headers['x-art-error-code']).toBe('ART_NO_HANDLER');
  });

  it('aborts the signal of a handler whose caller has gone', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    answering(async (_request, { signal }) => {
      started.resolve(signal);
      await once(signal, 'abort');
    });
    await made.app.listen({ port: 0, host: '127.0.0.1' });
    const request = httpRequest(`http://127.0.0.1:${made.app.port}/invocations`, { method: 'POST' });
    request.on('error', () => undefined);
    request.end('{}');
    const signal = await started.promise;
    expect(signal.aborted).toBe(false);
    request.destroy();
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    expect(signal.reason).toMatchObject({ code: 'ART_CLOSED' });
  });

  it('does not abort the signal of a handler that has answered', async () => {
    let seen: AbortSignal | undefined;
    const { app } = answering((_request, { signal }) => {
      seen = signal;
      return 1;
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${app.port}/invocations`;
    const response = await fetch(url, { method: 'POST', body: '{}', headers: { connection: 'close' } });
    await response.text();
    await app.close();
    expect(seen?.aborted).toBe(false);
  });

  it('gets the grace for its answer when the app is closed', async () => {
    const started = Promise.withResolvers<void>();
    answering(async (_request, { signal }) => {
      started.resolve();
      await once(signal, 'abort');
      return 'the last words';
    });
    await made.app.listen({ port: 0, host: '127.0.0.1' });
    const response = fetch(`http://127.0.0.1:${made.app.port}/invocations`, { method: 'POST', body: '{}' });
    await started.promise;
    await made.app.close();
    expect(await (await response).json()).toBe('the last words');
  });

  it('does not hold up the end beyond its grace', async () => {
    made = testApp({
      terminationGraceMs: 0,
      invocationHandler: { process: () => new Promise(() => undefined) },
    });
    await made.app.listen({ port: 0, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${made.app.port}/invocations`;
    const failure = fetch(url, { method: 'POST', body: '{}' }).catch((error: unknown) => error);
    await vi.waitFor(() => {
      expect(made.lines.map((line) => line['message'])).toContain('incoming request');
    });
    await made.app.close();
    expect(await failure).toMatchObject({ message: 'fetch failed' });
  });
});

it('a request that takes long keeps its session busy until it is answered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const gates = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  let requests = 0;
  const begun = Promise.withResolvers<void>();
  const { app } = answering(() => {
    if (requests === 1) begun.resolve();
    return gates[requests++]!.promise;
  });
  const status = (): unknown => app.getCurrentPingStatus();
  const [answer, other] = [app.inject(invocation({})), app.inject(invocation({}))];
  await begun.promise;
  vi.advanceTimersByTime(9_999);
  expect(await status()).toBe('Healthy');
  vi.advanceTimersByTime(1);
  expect(await status()).toBe('HealthyBusy');
  gates[0]!.resolve(1);
  await answer;
  expect(await status()).toBe('HealthyBusy');
  gates[1]!.reject(new Error('no luck'));
  await other;
  await vi.waitFor(async () => expect(await status()).toBe('Healthy'));
});
