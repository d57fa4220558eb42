import type { HealthLevel } from '@art/eval/health';

/** A place in a run; `at` is the position of its sample, where the page shows it. */
export interface CheckedPlace {
  id: string;
  /** Which call of the model, from 1. */
  call: number | null;
  at: number | null;
}

/** Verdict of a check about a run. */
export type CheckedHealth = { check: string } & (
  | { state: 'healthy' }
  | { state: 'not_observed'; why: string }
  | {
      state: 'finding';
      level: HealthLevel;
      message: string;
      nextStep: string;
      places: CheckedPlace[];
      /** Positions of the samples that it is about. */
      samples: number[];
    }
);

/** Verdicts of the checks about a run. */
export interface RunHealthReport {
  rollouts: number;
  checks: CheckedHealth[];
}
