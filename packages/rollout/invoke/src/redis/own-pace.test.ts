import { paceOf } from '../pacing/grant-source.ts';
import { expect, it } from 'vitest';
import { ownPace } from './own-pace.ts';

it.each([
  [25, 3],
  [25, 10],
  [500, 3],
  [1000, 7],
])('%d a second among %d processes out of step stays within the rate in every second', (rate, processes) => {
  const pace = paceOf(rate, 20);
  const { intervalMs, callsPerGrant } = ownPace(rate, pace, processes);
  const grantsInAnySecond = Math.ceil(1000 / intervalMs);
  expect(grantsInAnySecond * callsPerGrant * processes).toBeLessThanOrEqual(rate);
});

it('keeps the mean where a process has less than one grant a second', () => {
  expect(ownPace(25, paceOf(25, 20), 100).intervalMs).toBeCloseTo(4_400);
});
