import { figureChange, haveSpread } from '@art/ground/figures';
import { advantageFactor, type AdvantageOptions } from './group-advantages.ts';

/**
 * Advantages of a group by turn, in the order of its members: for turn k the return from k on, `r[k] + discount * r[k + 1] + ...`,
 * minus the baseline. Where only last turns are rewarded and nothing is discounted, `turnBaseline: 'group'` gives every turn exactly
 * what `groupAdvantages` gives its rollout. A deviation is over one turn of each rollout, the one that is farthest from the baseline, so
 * that long rollouts count no more than short ones. A group of one member gives zeros.
 * @param rewards of each member, finite, one for each of its turns; undefined for a member without
 */
export function turnAdvantages(
  rewards: readonly (readonly number[] | undefined)[],
  options: AdvantageOptions = {},
): (number[] | undefined)[] {
  const { discount = 1, turnBaseline = 'group' } = options;
  const returns = rewards.map((turns) => turns && returnsToGo(turns, discount));
  const known = returns.filter((turns) => turns !== undefined);
  // Squares of very large or very small returns leave the range of a double; those of numbers up to 1 do not.
  const unit = known.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (unit === 0 || known.length === 1) return returns.map((turns) => turns?.map(() => 0));
  const mean = meanOf(known.map((turns) => turns[0]! / unit));
  const longest = known.reduce((most, turns) => Math.max(most, turns.length), 0);
  const baselines = Array.from({ length: longest }, (_, turn) => {
    const there = known.flatMap((turns) => (turn < turns.length ? [turns[turn]! / unit] : []));
    return turnBaseline === 'turn' && there.length > 1 ? meanOf(there) : mean;
  });
  const differencesOf = (turns: readonly number[]): number[] =>
    turns.map((value, turn) => figureChange(baselines[turn]!, value / unit));
  const farthest = known.map((turns) =>
    differencesOf(turns).reduce((far, one) => (Math.abs(one) > Math.abs(far) ? one : far)),
  );
  const factor = advantageFactor(farthest, unit, options);
  return returns.map((turns) => {
    if (turns === undefined) return undefined;
    if (options.baseline !== 'leave_one_out') return differencesOf(turns).map((one) => one * factor);
    // The mean of the other rollouts is the same for every turn of this one.
    const first = figureChange(mean, turns[0]! / unit) * factor;
    return turns.map((value) => first + figureChange(turns[0]!, value));
  });
}

function returnsToGo(rewards: readonly number[], discount: number): number[] {
  let following = 0;
  return rewards
    .toReversed()
    .map((reward) => (following = reward + discount * following))
    .toReversed();
}

// Equal numbers are their own mean: one that is off by a rounding step would make noise out of nothing.
function meanOf(values: readonly number[]): number {
  if (!haveSpread(values)) return values[0] ?? 0;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
