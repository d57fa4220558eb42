import type { PingObservation } from '../process/ping-agent.ts';

/**
 * Whether a ping keeps its session from being reclaimed. The documentation lets an agent omit `time_of_last_update`; the
 * service was measured to ignore `HealthyBusy` without an integer there, which is what `strict` reproduces.
 */
export function keepsBusy(observation: PingObservation, strict: boolean): boolean {
  if (observation.kind === 'failed' || !observation.busy) return false;
  return !strict || Number.isInteger(observation.stamp);
}
