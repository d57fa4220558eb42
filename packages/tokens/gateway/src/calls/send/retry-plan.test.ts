import { describe, expect, it } from 'vitest';
import { RetryPlan } from './retry-plan.ts';

const options = {
  attempts: 4,
  serverErrorAttempts: 1,
  connectionAttempts: 2,
  baseDelayMs: 100,
  maxDelayMs: 300,
  maxRetryAfterMs: 60_000,
};
const status = (code: number, retryAfter?: string) => ({ kind: 'status', status: code, retryAfter }) as const;
const connection = (failure: 'not_connected' | 'broken' | 'aborted') =>
  ({ kind: 'connection', failure }) as const;

describe('RetryPlan', () => {
  it('doubles the pause up to the longest, and ends', () => {
    const plan = new RetryPlan(options, () => 0.5);
    const pauses = Array.from({ length: 5 }, () => plan.next(status(503)));
    expect(pauses).toEqual([100, 200, 300, 300, undefined]);
  });

  it('varies by a quarter', () => {
    expect(new RetryPlan(options, () => 0).next(status(429))).toBe(75);
    expect(new RetryPlan(options, () => 1).next(status(429))).toBe(125);
  });

  it('waits as long as it is asked to, within bounds', () => {
    const plan = new RetryPlan(options, () => 0.5);
    expect(plan.next(status(429, '7'))).toBe(7_000);
    expect(plan.next(status(429, '600'))).toBe(60_000);
    expect(plan.next(status(429, 'Wed, 21 Oct 2015 07:28:00 GMT'))).toBe(300);
    expect(plan.next(status(429, '0'))).toBe(0);
  });

  it('counts server errors and connections apart', () => {
    const plan = new RetryPlan(options, () => 0.5);
    expect([plan.next(status(500)), plan.next(status(500))]).toEqual([100, undefined]);
    expect([1, 2, 3].map(() => plan.next(connection('broken')))).toEqual([0, 100, undefined]);
    expect(plan.next(status(503))).toBe(100);
  });

  it('gives up at once what nobody waits for and what will not pass', () => {
    const plan = new RetryPlan(options);
    expect(plan.next(connection('aborted'))).toBeUndefined();
    expect(plan.next(status(400))).toBeUndefined();
    expect(plan.next(status(501))).toBeUndefined();
  });
});
