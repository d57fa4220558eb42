import type { CheckJudgement } from '../result/health-check-result.ts';
import type { HealthThresholds } from '../run/health-options.ts';
import type { RecordedRollout } from '@art/trajectories';

/** A check at work on one run: it sees each rollout once, and keeps no more of it than its figures. */
export interface HealthObserver {
  see(rollout: RecordedRollout): void;
  judge(): CheckJudgement;
}

export interface HealthCheck {
  /** Its name for ever. */
  id: string;
  observe(thresholds: HealthThresholds): HealthObserver;
}

export const healthy: CheckJudgement = { state: 'healthy' };

export function notObserved(why: string): CheckJudgement {
  return { state: 'not_observed', why };
}

export const noCallsObserved: CheckJudgement = notObserved('no call of a model is on record');
