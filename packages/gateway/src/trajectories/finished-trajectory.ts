import type { Trajectory } from '@art/trajectories';

/** What a finished trajectory has given. */
export interface FinishedTrajectory extends Trajectory {
  sessionId: string;
  /** Calls that were still under way when the wait for them ended; what they bring is not in the rows. */
  unfinishedCalls: number;
}
