import type { AttemptEnd } from './attempt.ts';

/** Warns of the first end that is ok and has no reward, and of no other: whoever forgot the reward forgot it everywhere. */
export class MissingRewardWarning {
  readonly #warn: (message: string) => void;
  #isTold = false;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** @param index of the rollout in its run */
  look(index: number, { sessionId, outcome }: AttemptEnd): void {
    if (this.#isTold || outcome.kind !== 'ok' || outcome.rewardProblem === undefined) return;
    this.#isTold = true;
    this.#warn(
      `Rollout ${index} (session ${sessionId}) is ok and has no reward. ${outcome.rewardProblem.message} This is said once a batch; \`outcome.rewardProblem\` has it for every item.`,
    );
  }
}
