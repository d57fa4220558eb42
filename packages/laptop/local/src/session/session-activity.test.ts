import { describe, expect, it } from 'vitest';
import type { PingObservation } from '../process/ping-agent.ts';
import { SessionActivity } from './session-activity.ts';

const timing = {
  pingIntervalMs: 2_000,
  pingTimeoutMs: 2_000,
  idleTimeoutMs: 900_000,
  maxLifetimeMs: 28_800_000,
  stopGraceMs: 10_000,
  coldStartDelayMs: 0,
  strictPing: true,
  maxFailedPings: 15,
};
const answered = (busy: boolean, stamp: unknown): PingObservation => ({ kind: 'answered', busy, stamp });
const failed: PingObservation = { kind: 'failed', why: 'no answer within 2000 ms' };

/** The activity of a session that began at 0, after pings that were answered at once. */
function after(...pings: [atMs: number, ping: PingObservation][]): SessionActivity {
  const activity = new SessionActivity(timing, 0);
  for (const [atMs, ping] of pings) activity.pinged(ping, atMs, atMs);
  return activity;
}

/** True if the session was last active then: it ends as idle 900 s later, and not a millisecond before. */
const isIdleSince = (activity: SessionActivity, sinceMs: number): boolean =>
  activity.endReason(sinceMs + 899_999) === undefined && activity.endReason(sinceMs + 900_000) === 'idle';

describe('a session is idle', () => {
  it('from its start until a request, and from the end of the last request on', () => {
    const activity = new SessionActivity(timing, 100);
    expect(isIdleSince(activity, 100)).toBe(true);
    activity.requestBegan();
    activity.requestBegan();
    activity.requestEnded(200);
    expect(activity).toMatchObject({ requests: 2, activeRequests: 1 });
    expect(activity.endReason(20_000_000)).toBeUndefined();
    activity.requestEnded(300);
    expect(isIdleSince(activity, 300)).toBe(true);
  });

  it('through pings whose stamp does not move', () => {
    expect(isIdleSince(after([1_000, answered(false, 5)], [2_000, answered(false, 5)]), 0)).toBe(true);
  });

  it('never when every ping is stamped anew', () => {
    const pings = [5, 6, 7].map((stamp): [number, PingObservation] => [
      stamp * 1_000,
      answered(false, stamp),
    ]);
    expect(isIdleSince(after(...pings), 7_000)).toBe(true);
  });

  it.each([answered(false, 8), failed])('from the end of its busy time on: %j', (last) => {
    const activity = after([1_000, answered(true, 5)]);
    expect(activity.endReason(20_000_000)).toBeUndefined();
    activity.pinged(last, 4_000, 4_000);
    expect(isIdleSince(activity, 4_000)).toBe(true);
  });
});

it.each<[string, PingObservation, boolean, boolean]>([
  ['busy with integer seconds', answered(true, 1_790_000_000), true, true],
  ['busy without the field', answered(true, undefined), false, true],
  ['busy with an ISO text', answered(true, '2026-01-01T00:00:00Z'), false, true],
  ['busy with digits as text', answered(true, '1790000000'), false, true],
  ['busy with a fraction', answered(true, 1_790_000_000.5), false, true],
  ['busy with null', answered(true, null), false, true],
  ['healthy', answered(false, 1_790_000_000), false, false],
  ['no answer', { kind: 'failed', why: 'reset' }, false, false],
])('a ping keeps it busy, strictly and not: %s', (_name, ping, strict, lenient) => {
  const busy = [true, false].map((strictPing) => {
    const activity = new SessionActivity({ ...timing, strictPing }, 0);
    activity.pinged(ping, 1_000, 1_000);
    expect(activity.endReason(900_000)).toBe(activity.busy ? undefined : 'idle');
    return activity.busy;
  });
  expect(busy).toEqual([strict, lenient]);
});

describe('a session has to go', () => {
  it('at its maximum lifetime, however busy, and before it is idle', () => {
    const activity = after([1_000, answered(true, 5)]);
    expect(activity.endReason(28_799_999)).toBeUndefined();
    expect(activity.endReason(28_800_000)).toBe('max_lifetime');
    expect(after().endReason(28_800_000)).toBe('max_lifetime');
  });

  it('when so many pings in a row have failed', () => {
    const pings = Array.from({ length: 14 }, (): [number, PingObservation] => [1_000, failed]);
    const activity = after(...pings);
    expect(activity.endReason(1_000)).toBeUndefined();
    activity.pinged(failed, 2_000, 2_000);
    expect(activity.endReason(2_000)).toBe('unhealthy');
    activity.pinged(answered(false, 1), 3_000, 3_000);
    expect(activity.endReason(3_000)).toBeUndefined();
  });
});

describe('pings that an agent kept waiting', () => {
  it('are added up until it answers one', () => {
    const activity = after();
    activity.pinged(answered(false, 1), 0, 900);
    expect(activity.pingWaitMs).toBeUndefined();
    expect(activity.pinged(failed, 2_000, 4_000)).toBeUndefined();
    expect(activity.pingWaitMs).toBe(2_000);
    expect(activity.pinged(answered(false, 1), 6_000, 6_500)).toBe(4_500);
    expect(activity.pingWaitMs).toBeUndefined();
    expect(activity.pinged(answered(false, 1), 8_000, 8_001)).toBeUndefined();
    expect(activity.pinged(answered(false, 1), 10_000, 11_200)).toBe(1_200);
  });

  it('are none where a ping failed at once', () => {
    expect(after([0, failed]).pingWaitMs).toBeUndefined();
  });
});
