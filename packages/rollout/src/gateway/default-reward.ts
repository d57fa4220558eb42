import type { CaptureReward } from '../lifecycle/rollout-capture.ts';

/** A rollout that is `ok` is kept, with the last turn's reward where it has one; every other one failed. */
export const defaultReward: CaptureReward = (outcome) =>
  outcome.kind === 'ok' ? (outcome.reward ?? null) : undefined;
