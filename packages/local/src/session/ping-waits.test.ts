import { expect, it } from 'vitest';
import type { PingObservation } from '../process/ping-agent.ts';
import { PingWaits } from './ping-waits.ts';

const answered: PingObservation = { kind: 'answered', busy: false, stamp: 1 };
const failed: PingObservation = { kind: 'failed', why: 'no answer within 2000 ms' };

it('adds up the pings that an agent kept waiting, until it answers one', () => {
  const waits = new PingWaits();
  waits.pinged(answered, { sentAtMs: 0, nowMs: 900 });
  expect(waits.last).toBeUndefined();
  waits.pinged(failed, { sentAtMs: 2_000, nowMs: 4_000 });
  expect(waits.last).toEqual({ seq: 1, waitedMs: 2_000, over: false });
  waits.pinged(answered, { sentAtMs: 6_000, nowMs: 6_500 });
  expect(waits.last).toEqual({ seq: 1, waitedMs: 4_500, over: true });
  waits.pinged(answered, { sentAtMs: 8_000, nowMs: 8_001 });
  expect(waits.last).toEqual({ seq: 1, waitedMs: 4_500, over: true });
  waits.pinged(answered, { sentAtMs: 10_000, nowMs: 11_200 });
  expect(waits.last).toEqual({ seq: 2, waitedMs: 1_200, over: true });
});

it('takes a ping that failed at once for no wait', () => {
  const waits = new PingWaits();
  waits.pinged({ kind: 'failed', why: 'lost on purpose' }, { sentAtMs: 0, nowMs: 0 });
  expect(waits.last).toBeUndefined();
});
