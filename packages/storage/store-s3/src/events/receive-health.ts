/** How reading the queue goes. */
export type ReceiveHealth =
  | { kind: 'working' }
  /** Failures in a row, too few to speak of. */
  | { kind: 'doubtful'; failures: number }
  | { kind: 'failing'; failures: number };

/** `refused`: the first receive of all failed, so the queue, its address or the permissions are wrong. */
export type ReceiveOutcome = 'succeeded' | 'failed' | 'refused';

/** One broken connection is no outage. */
const failuresOfAnOutage = 3;

/** The health after another receive. */
export function afterReceive(health: ReceiveHealth, outcome: ReceiveOutcome): ReceiveHealth {
  if (outcome === 'succeeded') return { kind: 'working' };
  const failures = health.kind === 'working' ? 1 : health.failures + 1;
  const isOutage = outcome === 'refused' || health.kind === 'failing' || failures >= failuresOfAnOutage;
  return { kind: isOutage ? 'failing' : 'doubtful', failures };
}
