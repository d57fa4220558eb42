import { finalReward } from '@art/protocol';

/**
 * How the rewards of several turns become the one reward of a rollout.
 * - `last`: the last turn's; what trainers read from a result document.
 * - `sum`, `mean`, `max`, `min`: over all turns.
 * - a function of all turns' rewards; a single reward comes as a list of one.
 */
export type RewardRule = 'last' | 'sum' | 'mean' | 'max' | 'min' | ((rewards: readonly number[]) => number);

/** Every rule that has a name. */
export const rewardRuleNames = ['last', 'sum', 'mean', 'max', 'min'] as const satisfies readonly RewardRule[];

/**
 * The one reward of a rollout, from the `rewards` of its result document. Undefined where there is none to be had: no
 * number, an empty list, something that is not finite. It is never made up. `last` looks at the last turn only; every
 * other rule needs all of them to be finite.
 * @throws whatever a function given as rule throws.
 */
export function reduceRewards(rewards: unknown, rule: RewardRule = 'last'): number | undefined {
  if (rule === 'last') return finalReward({ rewards });
  const turns: unknown[] = Array.isArray(rewards) ? rewards : [rewards];
  if (turns.length === 0 || !turns.every(isFiniteNumber)) return undefined;
  const reduced: unknown = typeof rule === 'function' ? rule(turns) : reduceByName(turns, rule);
  return isFiniteNumber(reduced) ? reduced : undefined;
}

function reduceByName(turns: readonly number[], rule: 'sum' | 'mean' | 'max' | 'min'): number {
  const fold = (combine: (left: number, right: number) => number): number =>
    turns.reduce((left, right) => combine(left, right));
  switch (rule) {
    case 'sum':
      return fold((left, right) => left + right);
    case 'mean':
      return fold((left, right) => left + right) / turns.length;
    case 'max':
      return fold((left, right) => Math.max(left, right));
    case 'min':
      return fold((left, right) => Math.min(left, right));
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
