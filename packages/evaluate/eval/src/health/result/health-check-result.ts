import type { HealthPlace } from './health-place.ts';

/**
 * How bad a finding is.
 * - `error`: the figures are wrong, or a trainer would learn from something that did not happen.
 * - `warning`: look before you believe the figures.
 * - `note`: worth knowing.
 */
export type HealthLevel = 'error' | 'warning' | 'note';

/** Finding of a check. */
export interface HealthFinding {
  state: 'finding';
  level: HealthLevel;
  /** Fact with its figures, in a sentence. */
  message: string;
  /** Advice, in a sentence. */
  nextStep: string;
  /** Up to three. */
  places: readonly HealthPlace[];
  /** Rollouts that the finding is about, by id; empty where it is about the run. */
  rollouts: ReadonlySet<string>;
}

/** Verdict of a check: it found something, it looked and found nothing, or it could not look. */
export type CheckJudgement = HealthFinding | { state: 'healthy' } | { state: 'not_observed'; why: string };

export type HealthCheckResult = CheckJudgement & { check: string };
