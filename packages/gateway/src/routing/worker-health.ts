/**
 * Whether a worker gets calls.
 * - `healthy`: with the number of checks in a row that failed so far.
 * - `dead`: gets none until a check succeeds.
 */
export type WorkerHealth = { kind: 'healthy'; failures: number } | { kind: 'dead' };

/** So many failed checks in a row make a worker dead; one good check brings it back. */
export const failuresUntilDead = 3;

/** The health after one more check. */
export function healthAfterCheck(health: WorkerHealth, passed: boolean): WorkerHealth {
  if (passed) return { kind: 'healthy', failures: 0 };
  if (health.kind === 'dead') return health;
  const failures = health.failures + 1;
  return failures >= failuresUntilDead ? { kind: 'dead' } : { kind: 'healthy', failures };
}
