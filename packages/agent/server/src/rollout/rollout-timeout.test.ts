import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { invocation, resultKey, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));

afterEach(async () => {
  await made.app.close();
  vi.useRealTimers();
});

describe('maxRolloutMs', () => {
  it('aborts the handler, stores a timeout document and frees the session', async () => {
    const gate = Promise.withResolvers<object>();
    let signal = undefined as AbortSignal | undefined;
    made = testApp({
      maxRolloutMs: 60_000,
      rolloutHandler: {
        process: (_request, context) => {
          ({ signal } = context);
          return gate.promise;
        },
      },
    });
    await made.app.inject(invocation({ _rollout: target }));
    // Not by vi.waitFor, which moves the faked time on.
    while (signal === undefined) await turn();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(signal.aborted).toBe(false);
    expect(await made.app.getCurrentPingStatus()).toBe('HealthyBusy');
    await vi.advanceTimersByTimeAsync(1);
    expect(signal.reason).toMatchObject({ code: 'ART_ROLLOUT_TIMEOUT' });
    await vi.waitFor(async () => {
      expect(await made.stored(resultKey)).toMatchObject({
        status_code: 504,
        stop_reason: 'timeout',
        traceback: expect.stringContaining('60000 ms') as string,
        payload: { _rollout: target },
      });
    });
    await vi.waitFor(async () => expect(await made.app.getCurrentPingStatus()).toBe('Healthy'));

    gate.resolve({ rewards: 1 });
    await vi.waitFor(() => {
      expect(made.lines.map((line) => line['message'])).toContainEqual(expect.stringContaining('is dropped'));
    });
    expect(await made.stored(resultKey)).toMatchObject({ status_code: 504 });
  });

  it('leaves a rollout alone that is done in time, and no timer', async () => {
    made = testApp({ maxRolloutMs: 60_000, rolloutHandler: { process: () => ({ rewards: 1 }) } });
    await made.app.inject(invocation({ _rollout: target }));
    await vi.waitFor(async () => expect(await made.stored(resultKey)).toMatchObject({ rewards: 1 }));
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not count the saving', async () => {
    const put = Promise.withResolvers<void>();
    made = testApp({ maxRolloutMs: 1_000, rolloutHandler: { process: () => ({ rewards: 1 }) } });
    const original = made.store.put.bind(made.store);
    const spy = vi.spyOn(made.store, 'put').mockImplementation(async (...args) => {
      await put.promise;
      return original(...args);
    });
    await made.app.inject(invocation({ _rollout: target }));
    await vi.waitFor(() => expect(spy).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(5_000);
    put.resolve();
    await vi.waitFor(async () => expect(await made.stored(resultKey)).toMatchObject({ rewards: 1 }));
  });
});
