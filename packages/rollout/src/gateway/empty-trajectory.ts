import type { RolloutOutcome } from '@art/protocol';
import type { Trajectory } from './trajectory.ts';

/** Of a rollout that this process never began: there was nothing to be captured. */
export function emptyTrajectory(rollout: {
  sessionId: string;
  inputId: string;
  outcome: RolloutOutcome;
}): Trajectory {
  const { sessionId, inputId: groupId, outcome } = rollout;
  return { sessionId, groupId, outcome, reward: undefined, rows: [], summary: undefined };
}
