/**
 * Whether a worker gets calls.
 * - `healthy`: with the number of checks in a row that failed so far.
 * - `dead`: gets none until a check succeeds.
 */
export type WorkerHealth = { kind: 'healthy'; failures: number } | { kind: 'dead' };

/** The health after one more check; so many failed ones in a row make a worker dead, and one good check brings it back. */
export function healthAfterCheck(
  health: WorkerHealth,
  passed: boolean,
  failuresUntilDead: number,
): WorkerHealth {
  if (passed) return { kind: 'healthy', failures: 0 };
  if (health.kind === 'dead') return health;
  const failures = health.failures + 1;
  return failures >= failuresUntilDead ? { kind: 'dead' } : { kind: 'healthy', failures };
}
