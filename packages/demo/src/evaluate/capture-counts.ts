import type { RolloutTrajectory } from '@art/client';

/** What the gateway captured of an evaluation's rollouts. */
export interface CaptureCounts {
  /** Answers of the model. */
  turns: number;
  sampledTokens: number;
  rows: number;
  trainedTokens: number;
}

export const nothingCaptured: CaptureCounts = { turns: 0, sampledTokens: 0, rows: 0, trainedTokens: 0 };

/** Adds what was captured of one rollout; of one that failed it is nothing. */
export function addCapture(counts: CaptureCounts, { rows, summary }: RolloutTrajectory): CaptureCounts {
  return {
    turns: counts.turns + (summary?.turns ?? 0),
    sampledTokens: counts.sampledTokens + (summary?.sampledTokens ?? 0),
    rows: counts.rows + rows.length,
    trainedTokens: counts.trainedTokens + (summary?.trainedTokens ?? 0),
  };
}
