import { backgroundClock } from '@art/ground';
import type { AgentRuntime } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { SessionStops } from './session-stops.ts';

const warnings: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  warnings.length = 0;
});
afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  vi.useRealTimers();
});

function stopsWith(stop: AgentRuntime['stop']): SessionStops {
  const runtime: AgentRuntime = { invoke: () => Promise.reject(new Error('not here')), stop };
  return new SessionStops({
    runtime,
    clock: backgroundClock,
    stopTimeoutMs: 1_000,
    warn: (message) => warnings.push(message),
  });
}

const after = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));
const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

describe('SessionStops', () => {
  it('takes no queue that moves for a failure, however long it is', async () => {
    const stops = stopsWith((sessionId) => after(Number(sessionId) * 900, { kind: 'stopped' }));
    const all = Array.from({ length: 50 }, (_, index) => stops.stop(String(index + 1)));
    const results = await inFakeTime(Promise.all(all));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['stopped']));
    await stops.close(0);
    expect(warnings).toEqual([]);
  });

  it('continues with a stop that nobody waits for any more, and waits for it at the end', async () => {
    const stops = stopsWith(() => after(3_500, { kind: 'stopped' }));
    expect(await inFakeTime(stops.stop('slow'))).toMatchObject({ kind: 'failed' });
    expect(performance.now()).toBeLessThan(1_100);
    await vi.advanceTimersByTimeAsync(2_000);
    await inFakeTime(stops.close(performance.now()));
    expect(performance.now()).toBeLessThan(3_600);
    expect(warnings).toEqual([expect.stringContaining('Session slow is not stopped yet')]);
  });

  it('gives up at the end what does not move, and names all of it', async () => {
    const stops = stopsWith((_, options) => untilAborted(options?.signal));
    const waiting = Promise.all([stops.stop('first'), stops.stop('second')]);
    await inFakeTime(stops.close(performance.now()));
    expect((await inFakeTime(waiting)).map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    expect(performance.now()).toBeLessThan(1_100);
    expect(warnings.at(-1)).toMatch(/^Not stopped before the client closed.* first, second$/);
  });

  it('reports at once what the runtime refuses, also where it throws before it has begun', async () => {
    const stops = stopsWith(() => {
      throw new Error('denied');
    });
    expect(await stops.stop('mine')).toMatchObject({ kind: 'failed', error: { message: 'denied' } });
    await stops.close(performance.now());
    expect(warnings).toEqual([expect.stringMatching(/Session mine could not be stopped.*denied/)]);
  });
});
