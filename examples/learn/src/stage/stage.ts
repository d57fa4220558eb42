import type { LearningStep } from '../learn.ts';
import type { Options, RunKind } from '../options.ts';

/** Everything that a run needs, running. Closing it ends every process. */
export interface Stage extends AsyncDisposable {
  /** Trains the policy from its beginning. */
  run(kind: RunKind): AsyncIterable<LearningStep>;
}

export type StageOptions = Pick<Options, 'seed' | 'steps' | 'sessions' | 'platformVersion' | 'out'>;

/** Longest time of a rollout; it takes milliseconds. */
export const rolloutTimeoutMs = 300_000;
export const rolloutsPerInput = 16;
export const modelId = 'policy';
