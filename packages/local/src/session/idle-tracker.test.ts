import { describe, expect, it } from 'vitest';
import { IdleTracker } from './idle-tracker.ts';

const answered = (busy: boolean, stamp: unknown) => ({ kind: 'answered', busy, stamp }) as const;

describe('IdleTracker', () => {
  it('is idle from its start until a request, and from the end of the last request on', () => {
    const idle = new IdleTracker(100, true);
    expect(idle.idleSinceMs).toBe(100);
    idle.requestBegan();
    idle.requestBegan();
    expect(idle.idleSinceMs).toBeUndefined();
    idle.requestEnded(200);
    expect(idle.idleSinceMs).toBeUndefined();
    idle.requestEnded(300);
    expect(idle.idleSinceMs).toBe(300);
  });

  it('stays idle through pings whose stamp does not move', () => {
    const idle = new IdleTracker(0, true);
    idle.pinged(answered(false, 5), 1_000);
    idle.pinged(answered(false, 5), 2_000);
    expect(idle.idleSinceMs).toBe(0);
  });

  it('never gets idle when every ping is stamped anew', () => {
    const idle = new IdleTracker(0, true);
    idle.pinged(answered(false, 5), 1_000);
    idle.pinged(answered(false, 6), 2_000);
    idle.pinged(answered(false, 7), 3_000);
    expect(idle.idleSinceMs).toBe(3_000);
  });

  it('counts from the end of the busy time', () => {
    const idle = new IdleTracker(0, true);
    idle.pinged(answered(true, 5), 1_000);
    expect(idle.idleSinceMs).toBeUndefined();
    idle.pinged(answered(false, 8), 4_000);
    expect(idle.idleSinceMs).toBe(4_000);
  });

  it('takes a failed ping for the end of the busy time', () => {
    const idle = new IdleTracker(0, true);
    idle.pinged(answered(true, 5), 1_000);
    idle.pinged({ kind: 'failed', why: 'blocked' }, 2_000);
    expect(idle.idleSinceMs).toBe(2_000);
  });

  it('ignores busy without a stamp when strict, and honours it when not', () => {
    const strict = new IdleTracker(0, true);
    const lenient = new IdleTracker(0, false);
    for (const idle of [strict, lenient]) idle.pinged(answered(true, undefined), 1_000);
    expect(strict.idleSinceMs).toBe(0);
    expect(lenient.idleSinceMs).toBeUndefined();
  });
});
