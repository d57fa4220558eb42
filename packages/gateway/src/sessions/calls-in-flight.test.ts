import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallsInFlight, type CancelCall } from './calls-in-flight.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('CallsInFlight', () => {
  it('counts by session, each call once', () => {
    const calls = new CallsInFlight();
    const leave = [calls.enter('a', () => undefined), calls.enter('a', () => undefined)];
    calls.enter(undefined, () => undefined);
    expect([calls.total, calls.countOf('a'), calls.countOf('b')]).toEqual([3, 2, 0]);
    leave[0]!();
    leave[0]!();
    expect([calls.total, calls.countOf('a')]).toEqual([2, 1]);
  });

  it('tells when a session is idle, or that it took too long', async () => {
    const calls = new CallsInFlight();
    const leave = calls.enter('a', () => undefined);
    calls.enter('b', () => undefined);
    const idle = calls.sessionIdle('a', 5_000);
    const late = calls.sessionIdle('b', 5_000);
    const stop = new AbortController();
    const stopped = calls.sessionIdle('b', 60_000, stop.signal);
    leave();
    expect(await idle).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await late).toBe(false);
    stop.abort();
    expect(await stopped).toBe(false);
    expect(await calls.sessionIdle('a', 0)).toBe(true);
    expect(await calls.idle(0)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('makes the calls of one session end', () => {
    const calls = new CallsInFlight();
    const cancels = [vi.fn<CancelCall>(), vi.fn<CancelCall>(), vi.fn<CancelCall>()];
    const leave = calls.enter('a', cancels[0]!);
    calls.enter('a', cancels[1]!);
    calls.enter('b', cancels[2]!);
    leave();
    calls.cancelSession('a');
    calls.cancelSession('nobody');
    expect(cancels.map((cancel) => cancel.mock.calls)).toEqual([[], [['finished']], []]);
  });

  it('makes all calls end', () => {
    const calls = new CallsInFlight();
    const cancel = vi.fn<() => void>();
    const leave = calls.enter('a', cancel);
    calls.cancelAll();
    leave();
    calls.cancelAll();
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(calls.closing).toBe(false);
    calls.close();
    expect(calls.closing).toBe(true);
  });
});
