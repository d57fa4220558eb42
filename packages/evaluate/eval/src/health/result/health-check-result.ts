import type { HealthPlace } from './health-place.ts';

/**
 * How bad a finding is.
 * - `error`: the figures are wrong, or a trainer would learn from something that did not happen.
 * - `warning`: look before you believe the figures.
 * - `note`: worth knowing.
 */
export type HealthLevel = 'error' | 'warning' | 'note';

/** What a check found. */
export interface HealthFinding {
  state: 'finding';
  level: HealthLevel;
  /** What is so, with figures, in a sentence. */
  message: string;
  /** What to look at or to do, in a sentence. */
  nextStep: string;
  /** Up to three. */
  places: readonly HealthPlace[];
  /** Rollouts that the finding is about, by id; empty where it is about the run. */
  rollouts: ReadonlySet<string>;
}

/** What a check says: it found something, it looked and found nothing, or it could not look. */
export type CheckJudgement = HealthFinding | { state: 'healthy' } | { state: 'not_observed'; why: string };

export type HealthCheckResult = CheckJudgement & { check: string };
