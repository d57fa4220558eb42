/** How reading the queue goes. */
export type ReceiveHealth =
  | { kind: 'working' }
  /** Failures in a row, too few to speak of. */
  | { kind: 'doubtful'; failures: number }
  | { kind: 'failing'; failures: number };

/** One broken connection is no outage. */
const failuresOfAnOutage = 3;

/** The health after another receive. */
export function afterReceive(health: ReceiveHealth, outcome: 'succeeded' | 'failed'): ReceiveHealth {
  if (outcome === 'succeeded') return { kind: 'working' };
  const failures = health.kind === 'working' ? 1 : health.failures + 1;
  return { kind: failures < failuresOfAnOutage ? 'doubtful' : 'failing', failures };
}
