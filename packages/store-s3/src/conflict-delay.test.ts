import { expect, it } from 'vitest';
import { conflictDelayMs, maxConflictAttempts } from './conflict-delay.ts';

it('doubles with every conflict up to a bound, and spreads writers over half of it', () => {
  const attempts = Array.from({ length: maxConflictAttempts }, (_, index) => index + 1);
  expect(attempts.map((attempt) => conflictDelayMs(attempt, 1))).toEqual([
    25, 50, 100, 200, 400, 800, 1_000, 1_000,
  ]);
  expect(attempts.map((attempt) => conflictDelayMs(attempt, 0))).toEqual([
    12.5, 25, 50, 100, 200, 400, 500, 500,
  ]);
});
