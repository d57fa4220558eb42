import { describe, expect, it } from 'vitest';
import type { PingObservation } from '../process/ping-agent.ts';
import { IdleTracker, keepsBusy } from './idle-tracker.ts';

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

const ping = (busy: boolean, stamp: unknown): PingObservation => ({ kind: 'answered', busy, stamp });

describe('keepsBusy', () => {
  it.each<[string, PingObservation, boolean, boolean]>([
    ['busy with integer seconds', ping(true, 1_790_000_000), true, true],
    ['busy without the field', ping(true, undefined), false, true],
    ['busy with an ISO text', ping(true, '2026-01-01T00:00:00Z'), false, true],
    ['busy with digits as text', ping(true, '1790000000'), false, true],
    ['busy with a fraction', ping(true, 1_790_000_000.5), false, true],
    ['busy with null', ping(true, null), false, true],
    ['healthy', ping(false, 1_790_000_000), false, false],
    ['no answer', { kind: 'failed', why: 'reset' }, false, false],
  ])('%s', (_name, observation, strict, lenient) => {
    expect(keepsBusy(observation, true)).toBe(strict);
    expect(keepsBusy(observation, false)).toBe(lenient);
  });
});
