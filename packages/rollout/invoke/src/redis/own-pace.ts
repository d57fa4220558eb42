import type { Pace } from '../pacing/grant-source.ts';

// A late timer of one process is no reason for another to wait, so what is kept in hand has to cover it.
const longSecondMs = 1_100;

/**
 * The pace of one of `processes` processes that do not hear of each other. Their seconds are not in step, so each keeps to
 * what goes into every second completely: 25 per second among 3 are 8 each, not 8.33, or some second would hold 27.
 * Below one grant per second there is nothing to round and only the mean is kept.
 */
export function ownPace(callsPerSecond: number, { callsPerGrant }: Pace, processes: number): Pace {
  const grantsPerSecond = callsPerSecond / processes / callsPerGrant;
  const whole = grantsPerSecond < 1 ? grantsPerSecond : Math.floor(grantsPerSecond);
  return { callsPerGrant, intervalMs: longSecondMs / whole };
}
