import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { invocation, resultKey, target, testApp } from '../test-app.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

it.each([
  { what: 'the result of a handler that ends late in the grace', endsMs: 2_900, putMs: 4_500, status: 200 },
  { what: 'that of one that ended before it, at a store as slow', endsMs: 1, putMs: 7_400, status: 200 },
  { what: 'the document of one that never ends', endsMs: undefined, putMs: 4_400, status: 503 },
])('stores $what in the time that is left', async ({ endsMs, putMs, status }) => {
  const made = testApp({
    rolloutHandler: {
      process: async (_request, { signal }) => {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        await (endsMs === undefined ? new Promise(() => undefined) : after(endsMs));
        return { rewards: 1 };
      },
    },
  });
  const put = made.store.put.bind(made.store);
  vi.spyOn(made.store, 'put').mockImplementation(async (at, text, options) => {
    await after(putMs);
    options?.signal?.throwIfAborted();
    return put(at, text, options);
  });
  await made.app.inject(invocation({ _rollout: target }));
  await new Promise(setImmediate);
  const closing = made.app.close();
  for (let passedMs = 0; passedMs < 8_000; passedMs += 100) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise(setImmediate);
  }
  await closing;
  expect(await made.stored(resultKey)).toMatchObject({ status_code: status });
});
