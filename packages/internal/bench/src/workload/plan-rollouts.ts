import { randomLcg } from 'd3-random';
import { durationSource, type DurationModel } from './duration-model.ts';

/** Fate of a rollout: it stores a result, stores a failure, or never ends. */
export type RolloutFate = 'succeeds' | 'fails' | 'never_ends';

export interface PlannedRollout {
  durationMs: number;
  fate: RolloutFate;
}

export interface RolloutPlanOptions {
  seed: number;
  rollouts: number;
  durations: DurationModel;
  /** Share of agents that store an error document. @default 0 */
  failShare?: number | undefined;
  /** Share of agents that store nothing. @default 0 */
  neverEndShare?: number | undefined;
}

/**
 * The fate of each rollout, by its position in the batch. The seed alone decides, so that every client in a run meets
 * the same agents.
 */
export function planRollouts(options: RolloutPlanOptions): PlannedRollout[] {
  const { seed, rollouts, durations, failShare = 0, neverEndShare = 0 } = options;
  const nextDurationMs = durationSource(durations, randomLcg(seed));
  // A generator of its own: with other shares the durations stay the same.
  const nextLot = randomLcg(seed + 0x5eed);
  return Array.from({ length: rollouts }, () => {
    const durationMs = nextDurationMs();
    const lot = nextLot();
    const fate = lot < neverEndShare ? 'never_ends' : lot < neverEndShare + failShare ? 'fails' : 'succeeds';
    return { durationMs, fate };
  });
}
