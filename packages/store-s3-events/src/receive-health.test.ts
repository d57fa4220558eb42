import { expect, it } from 'vitest';
import { receiveDelayMs } from './receive-delay.ts';
import { afterReceive, type ReceiveHealth } from './receive-health.ts';

it('speaks of an outage after three failures in a row, and ends it with the first success', () => {
  let health: ReceiveHealth = { kind: 'working' };
  const kinds = (
    ['failed', 'failed', 'succeeded', 'failed', 'failed', 'failed', 'failed', 'succeeded'] as const
  ).map((outcome) => (health = afterReceive(health, outcome)));
  expect(kinds).toEqual([
    { kind: 'doubtful', failures: 1 },
    { kind: 'doubtful', failures: 2 },
    { kind: 'working' },
    { kind: 'doubtful', failures: 1 },
    { kind: 'doubtful', failures: 2 },
    { kind: 'failing', failures: 3 },
    { kind: 'failing', failures: 4 },
    { kind: 'working' },
  ]);
  expect(afterReceive({ kind: 'working' }, 'refused')).toEqual({ kind: 'failing', failures: 1 });
});

it('waits twice as long after every failure up to a bound, spread over half of it', () => {
  const failures = [1, 2, 3, 6, 7, 8, 1_000];
  expect(failures.map((count) => receiveDelayMs(count, 1))).toEqual([
    500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(failures.map((count) => receiveDelayMs(count, 0))).toEqual([
    250, 500, 1_000, 8_000, 15_000, 15_000, 15_000,
  ]);
});
