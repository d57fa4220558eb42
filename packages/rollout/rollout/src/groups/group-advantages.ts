import { haveSpread } from '@art/ground/figures';

/** Which part of a rollout an advantage is about. */
export interface CreditOptions {
  /**
   * `rollout`: one advantage for every token of a rollout. `turn`: one for each sampled turn, of what was rewarded from that turn on
   * (return-to-go); the agent then gives a list with a reward for each of its model calls. @default 'rollout'
   */
  credit?: 'rollout' | 'turn' | undefined;
  /**
   * The factor by which a reward counts less one turn earlier, for `credit: 'turn'`: above 0 and at most 1. @default 1
   */
  discount?: number | undefined;
  /**
   * The mean that returns are compared with, for `credit: 'turn'`. `group`: the mean return of the group's rollouts
   * from their beginnings. `turn`: the mean return of the group's rollouts from the same turn on, where at least 2 have
   * that turn. @default 'group'
   */
  turnBaseline?: 'group' | 'turn' | undefined;
}

/** How much better than its group a member was. */
export type AdvantageOptions = CreditOptions & BaselineOptions;

type BaselineOptions =
  | {
      /** `mean`: the reward minus the mean of the group. @default 'mean' */
      baseline?: 'mean' | undefined;
      /**
       * The number that the difference is divided by. `none`: nothing, as in Dr. GRPO. `population`: the standard
       * deviation over n. `sample`: over n - 1, as in GRPO. @default 'none'
       */
      scale?: 'none' | 'population' | 'sample' | undefined;
      /** Added to the standard deviation, so that a tiny one does not blow noise up. @default 1e-6 */
      epsilon?: number | undefined;
    }
  | {
      /** `leave_one_out`: the reward minus the mean of the others (RLOO). */
      baseline: 'leave_one_out';
      scale?: undefined;
      epsilon?: undefined;
    };

/** The default number that is added to a standard deviation. */
const defaultEpsilon = 1e-6;

/**
 * Advantages of one group, in the order of its rewards. A member without a reward has none and counts for nothing: not in
 * the mean, not in the deviation. Rewards that are all equal, or a single one, give zeros: such a group says nothing.
 * @param rewards finite numbers, or undefined for a member without.
 */
export function groupAdvantages(
  rewards: readonly (number | undefined)[],
  options: AdvantageOptions = {},
): (number | undefined)[] {
  const known = rewards.filter((reward) => reward !== undefined);
  // Asked of the rewards themselves: a mean that is off by one rounding step would make noise out of nothing.
  if (!haveSpread(known)) {
    return rewards.map((reward) => (reward === undefined ? undefined : 0));
  }
  // Squares of very large or very small rewards leave the range of a double; those of numbers up to 1 do not.
  const unit = known.reduce((most, reward) => Math.max(most, Math.abs(reward)), 0);
  const mean = known.reduce((sum, reward) => sum + reward / unit, 0) / known.length;
  const factor = advantageFactor(
    known.map((reward) => reward / unit - mean),
    unit,
    options,
  );
  return rewards.map((reward) => (reward === undefined ? undefined : (reward / unit - mean) * factor));
}

/**
 * The factor that makes an advantage of a difference from the mean.
 * @param differences of a group, one for each member, each divided by `unit`
 */
export function advantageFactor(
  differences: readonly number[],
  unit: number,
  options: AdvantageOptions,
): number {
  const count = differences.length;
  // The reward minus the mean of the others is the same as this multiple of its distance from the mean of all.
  if (options.baseline === 'leave_one_out') return (unit * count) / (count - 1);
  const { scale = 'none', epsilon = defaultEpsilon } = options;
  if (scale === 'none') return unit;
  const squares = differences.reduce((sum, difference) => sum + difference ** 2, 0);
  const deviation = Math.sqrt(squares / (scale === 'sample' ? count - 1 : count));
  return 1 / (deviation + epsilon / unit);
}
