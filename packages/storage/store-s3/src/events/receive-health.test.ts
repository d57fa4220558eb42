import { expect, it } from 'vitest';
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
