import { ArtError } from '@art/ground';
import { isInRange } from '@art/ground/figures';
import type { SettledGroup } from '../rollouts/settled-groups.ts';
import type { PassResult, StepRow } from '../steps/index.ts';

/** @throws ArtError `ART_TRAIN_REWARD_RANGE` */
export function checkRewards(
  groups: readonly SettledGroup[],
  range: readonly [number, number] | undefined,
): void {
  if (range === undefined) return;
  const [lowest, highest] = range;
  for (const { rewards } of groups) {
    const outside = rewards.find((reward) => !isInRange(reward, range));
    if (outside === undefined) continue;
    throw new ArtError({
      code: 'ART_TRAIN_REWARD_RANGE',
      message: `Expected every reward from ${lowest} to ${highest}, got ${outside}. Is the reward of another task, or wrong by a factor?`,
    });
  }
}

/** @throws ArtError `ART_TRAIN_ROLLOUTS_FAILED`, `ART_TRAIN_NOTHING_CAPTURED` where a step has nothing that could be trained on */
export function checkCaptured(groups: readonly SettledGroup[]): void {
  const rewards = groups.flatMap((group) => group.rewards);
  if (rewards.length === 0) {
    const cause = groups.find(({ error }) => error !== undefined)?.error;
    throw new ArtError({
      code: 'ART_TRAIN_ROLLOUTS_FAILED',
      message: `Expected rollouts with a reward, got none of ${groups.length} groups.${cause === undefined ? '' : ` One failed so: ${cause.message}`}`,
      cause,
    });
  }
  const usable = groups.filter(({ kind }) => kind !== 'failed');
  if (usable.length === 0 || usable.some(({ rows }) => rows.length > 0)) return;
  const problem = usable.find((group) => group.problem !== undefined)?.problem;
  throw new ArtError({
    code: 'ART_TRAIN_NOTHING_CAPTURED',
    message: `${rewards.length} rollouts have a reward, but none has a captured model call to train on. ${problem ?? 'Does the agent call its model at `rollout.baseUrl`?'}`,
  });
}

/**
 * By how much sampler and trainer differ in the logprob of a trained token, on average.
 * @param isFresh whether all of a row was sampled by the weights that the pass began with
 */
export function logprobGap(
  rows: readonly StepRow[],
  { logprobs }: PassResult,
  isFresh: (row: number) => boolean,
): number | undefined {
  if (logprobs === undefined) return undefined;
  let tokens = 0;
  let gap = 0;
  for (const [index, row] of rows.entries()) {
    if (!isFresh(index) || row.logprobs === undefined) continue;
    for (const [at, weight] of row.weights.entries()) {
      if (weight === 0) continue;
      tokens += 1;
      gap += Math.abs(logprobs[index]![at]! - row.logprobs[at]!);
    }
  }
  return tokens === 0 ? undefined : gap / tokens;
}

/** @throws ArtError `ART_TRAIN_LOGPROB_GAP` */
export function refuseLogprobGap(gap: number | undefined, most: number, step: number): void {
  if (gap === undefined || gap <= most) return;
  throw new ArtError({
    code: 'ART_TRAIN_LOGPROB_GAP',
    message:
      `Expected sampler and trainer to differ by at most ${most} in the logprob of a token, got ${gap.toPrecision(3)} on average in step ${step}. ` +
      (step === 1
        ? 'The rows are not aligned with their logprobs, the agent samples at another temperature than 1, or the two have different weights.'
        : 'The sampler serves older weights than it says, or the service did not apply every pass.'),
  });
}

/** Counts steps in a row in which no group said anything. */
export class SpreadGuard {
  readonly #most: number;
  #without = 0;

  /** @param without how many there were before this process */
  constructor(most: number, without = 0) {
    this.#most = most;
    this.#without = without;
  }

  /** @throws ArtError `ART_TRAIN_NO_SPREAD` */
  check(groups: readonly SettledGroup[]): void {
    this.#without = groups.some(({ kind }) => kind === 'trains') ? 0 : this.#without + 1;
    if (this.#without < this.#most) return;
    const rewards = new Set(groups.flatMap((group) => group.rewards));
    throw new ArtError({
      code: 'ART_TRAIN_NO_SPREAD',
      message: `Expected a group with two different rewards, got none in ${this.#without} steps: the last rewards were ${[...rewards].slice(0, 5).join(', ')}. The tasks are too hard or too easy for this model, or all rollouts of a group are alike.`,
    });
  }
}
