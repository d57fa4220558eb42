import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallsInFlight, type CancelCall } from './calls-in-flight.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('CallsInFlight', () => {
  it('counts each call once', () => {
    const calls = new CallsInFlight();
    const leave = [calls.enter(() => undefined), calls.enter(() => undefined)];
    leave[0]!();
    leave[0]!();
    expect(calls.total).toBe(1);
  });

  it('tells when no call is under way, or that it took too long', async () => {
    const calls = new CallsInFlight();
    const leave = [calls.enter(() => undefined), calls.enter(() => undefined)];
    const late = calls.idle(1_000);
    const idle = calls.idle(5_000);
    leave[0]!();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toBe(false);
    expect(await calls.idle(0)).toBe(false);
    leave[1]!();
    expect(await idle).toBe(true);
    expect(await calls.idle(0)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('makes the calls under way end', () => {
    const calls = new CallsInFlight();
    const [ended, cancel] = [vi.fn<CancelCall>(), vi.fn<CancelCall>()];
    const leave = calls.enter(ended);
    calls.enter(cancel);
    leave();
    calls.cancelAll('finished');
    expect(ended).not.toHaveBeenCalled();
    expect(cancel).toHaveBeenCalledExactlyOnceWith('finished');
    expect(calls.closing).toBe(false);
    calls.close();
    expect(calls.closing).toBe(true);
  });
});
