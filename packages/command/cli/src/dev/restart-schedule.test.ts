import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RestartSchedule } from './restart-schedule.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeSchedule() {
  const restarts: { files: string[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const onError = vi.fn<(error: unknown) => void>();
  const schedule = new RestartSchedule({
    restart: (files) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      restarts.push({ files, finish: resolve, fail: reject });
      return promise;
    },
    onError,
    settleMs: 100,
  });
  return { schedule, restarts, onError };
}

const files = (restarts: { files: string[] }[]): string[][] => restarts.map((restart) => restart.files);

describe('RestartSchedule', () => {
  it('makes one restart of a burst', async () => {
    const { schedule, restarts } = makeSchedule();
    schedule.changed('a.ts');
    await vi.advanceTimersByTimeAsync(99);
    schedule.changed('b.ts');
    schedule.changed('a.ts');
    await vi.advanceTimersByTimeAsync(99);
    expect(restarts).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(files(restarts)).toEqual([['a.ts', 'b.ts']]);
  });

  it('restarts again for what changed during a restart, one after the other', async () => {
    const { schedule, restarts } = makeSchedule();
    schedule.changed('a.ts');
    await vi.advanceTimersByTimeAsync(100);
    schedule.changed('b.ts');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(restarts).toHaveLength(1);
    restarts[0]!.finish();
    await vi.advanceTimersByTimeAsync(100);
    expect(files(restarts)).toEqual([['a.ts'], ['b.ts']]);
    restarts[1]!.finish();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(restarts).toHaveLength(2);
  });

  it('continues after a restart that failed', async () => {
    const { schedule, restarts, onError } = makeSchedule();
    schedule.changed('a.ts');
    await vi.advanceTimersByTimeAsync(100);
    restarts[0]!.fail(new Error('no'));
    await vi.advanceTimersByTimeAsync(0);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('no'));
    schedule.changed('b.ts');
    await vi.advanceTimersByTimeAsync(100);
    expect(restarts).toHaveLength(2);
  });

  it('begins nothing after close and waits for what is under way', async () => {
    const { schedule, restarts } = makeSchedule();
    schedule.changed('a.ts');
    await vi.advanceTimersByTimeAsync(100);
    schedule.changed('b.ts');
    let closed = false;
    const closing = schedule.close().then(() => (closed = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(closed).toBe(false);
    restarts[0]!.finish();
    await closing;
    schedule.changed('c.ts');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(restarts).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('forgets a burst that has not settled at close', async () => {
    const { schedule, restarts } = makeSchedule();
    schedule.changed('a.ts');
    await schedule.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(restarts).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
