import type { AttemptEnd } from './attempt.ts';

/** Told of an attempt of the given index that has ended. */
export type RewardWarning = (index: number, end: Pick<AttemptEnd, 'sessionId' | 'outcome'>) => void;

/** Warns of the first end that is ok and has no reward, and of no other: whoever forgot the reward forgot it everywhere. */
export function rewardWarning(warn: (message: string) => void): RewardWarning {
  let hasWarned = false;
  return (index, { sessionId, outcome }) => {
    if (hasWarned || outcome.kind !== 'ok' || outcome.rewardProblem === undefined) return;
    hasWarned = true;
    warn(
      `Rollout ${index} (session ${sessionId}) is ok and has no reward. ${outcome.rewardProblem.message} This is said once a batch; \`outcome.rewardProblem\` has it for every item.`,
    );
  };
}
