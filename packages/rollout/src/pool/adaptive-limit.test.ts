import { describe, expect, it } from 'vitest';
import { anObject } from '@art/protocol';
import { AdaptiveLimit, adaptiveConcurrencyRules } from './adaptive-limit.ts';

const accept = (limit: AdaptiveLimit, times: number): void => {
  for (let count = 0; count < times; count += 1) limit.accepted();
};

describe('AdaptiveLimit', () => {
  it('is fixed unless told to adapt', () => {
    const limit = new AdaptiveLimit(100, undefined);
    accept(limit, 10);
    limit.throttled(0);
    expect(limit.current).toBe(100);
  });

  it('grows by one a round up to its ceiling', () => {
    const limit = new AdaptiveLimit(20, { start: 10 });
    accept(limit, 11);
    expect(limit.current).toBe(11);
    accept(limit, 1_000);
    expect(limit.current).toBe(20);
  });

  it('shrinks once a burst of throttles, down to its floor', () => {
    const limit = new AdaptiveLimit(100, { start: 100, floor: 30 });
    for (let nowMs = 0; nowMs < 4_900; nowMs += 100) limit.throttled(nowMs);
    expect(limit.current).toBe(70);
    limit.throttled(5_000);
    expect(limit.current).toBe(49);
    for (let nowMs = 10_000; nowMs < 100_000; nowMs += 5_000) limit.throttled(nowMs);
    expect(limit.current).toBe(30);
  });

  it.each([
    [{}, 25],
    [{ start: 500 }, 100],
    [{ floor: 60 }, 60],
    [{ start: 5, floor: 8 }, 8],
  ])('begins with %j at %d of 100', (options, expected) => {
    expect(new AdaptiveLimit(100, options).current).toBe(expected);
  });

  it.each([[5], [null], [{ start: 0 }], [{ floor: 1.5 }]])('refuses %j', (options) => {
    expect(() => anObject(adaptiveConcurrencyRules)(options, 'adaptiveConcurrency')).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }) as Error,
    );
  });
});
