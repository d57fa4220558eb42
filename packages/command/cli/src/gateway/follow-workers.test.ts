import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followWorkers } from './follow-workers.ts';
import type { WorkerState } from './gateway-event.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const worker = (workerId: string, healthy = true): WorkerState => ({
  workerId,
  url: `http://${workerId}`,
  healthy,
  flavour: null,
});

describe('followWorkers', () => {
  it('tells what changes, once, and nothing after its end', async () => {
    let workers: WorkerState[] | Error = [worker('a')];
    const told: string[] = [];
    const read = vi.fn(async () => {
      if (workers instanceof Error) throw workers;
      return workers;
    });
    const ending = new AbortController();
    const following = followWorkers(
      read,
      ({ change, workerId }) => told.push(`${workerId} ${change}`),
      ending.signal,
      1_000,
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(['a added']);
    const after = async (change: WorkerState[] | Error): Promise<string[]> => {
      workers = change;
      told.length = 0;
      await vi.advanceTimersByTimeAsync(1_000);
      return [...told];
    };
    expect(await after([worker('a')])).toEqual([]);
    expect(await after([worker('a', false), worker('b')])).toEqual(['a down', 'b added']);
    // A look that fails says nothing about the workers.
    expect(await after(new Error('busy'))).toEqual([]);
    expect(await after([worker('a')])).toEqual(['a up', 'b removed']);
    ending.abort();
    await following;
    expect(await after([])).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
