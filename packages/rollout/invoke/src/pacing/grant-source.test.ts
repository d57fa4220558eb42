import { expect, it } from 'vitest';
import { paceOf } from './grant-source.ts';

it.each([0.5, 1, 25, 99, 150, 500, 1000, 1999, 100_000])(
  '%d a second is not exceeded, and nearly reached',
  (rate) => {
    for (const { intervalMs, callsPerGrant } of [paceOf(rate, 10), paceOf(rate, 20)]) {
      const reached = (callsPerGrant * 1000) / intervalMs;
      expect(reached).toBeLessThan(rate);
      expect(reached).toBeGreaterThan(rate * 0.9);
    }
  },
);

it('gives every start of a session its own grant, at 24 a second or more', () => {
  expect(paceOf(25, 10).callsPerGrant).toBe(1);
  expect(paceOf(25, 20)).toEqual({ callsPerGrant: 1, intervalMs: 40.8 });
});

it('asks bottleneck for no more jobs than it can start', () => {
  for (const rate of [200, 999, 5_000, 100_000]) expect(paceOf(rate, 10).intervalMs).toBeGreaterThan(5);
});
