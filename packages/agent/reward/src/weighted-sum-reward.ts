import { aNumber, ArtError, refuseOption, withMethod } from '@art/ground';
import type { RewardContext } from './reward-context.ts';
import { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';
import { sumOfDecimals } from './sum-of-decimals.ts';

/** One summand. */
export interface WeightedReward<in Input> {
  reward: RewardFunction<Input>;
  /** Any finite number; weights need not add up to 1. */
  weight: number;
}

/**
 * The sum of several rewards, each times its weight; they are computed at the same time. Decimals are added as decimals: weights of .6, .3 and
 * .1 give 1 where each reward is 1.
 *
 * Lists are added turn by turn and must be of one length. A single number is a judgement of the outcome: next to
 * lists it is added to the last turn, which is the one that trainers read.
 */
export class WeightedSumReward<in Input> extends RewardFunction<Input> {
  readonly #terms: readonly WeightedReward<Input>[];

  /** @throws ArtError `ART_INVALID_OPTION` for no terms, a term without a reward function, or a weight that is not finite */
  constructor(terms: readonly WeightedReward<Input>[]) {
    super();
    if (!Array.isArray(terms) || terms.length === 0) {
      refuseOption('terms', 'a non-empty list of { reward, weight }', terms);
    }
    const aReward = withMethod<RewardFunction<Input>>('a RewardFunction', 'compute');
    this.#terms = terms.map((term, index) => ({
      reward: aReward(term?.reward, `terms[${index}].reward`),
      weight: aNumber()(term.weight, `terms[${index}].weight`),
    }));
  }

  /** @throws ArtError `ART_REWARD_INVALID` where lists differ in length */
  protected override async evaluate(input: Input, context: RewardContext): Promise<RewardValue> {
    const values = await Promise.all(
      this.#terms.map(async ({ reward, weight }) => weigh(await reward.compute(input, context), weight)),
    );
    return added(values);
  }
}

function weigh(value: RewardValue, weight: number): RewardValue {
  return typeof value === 'number' ? value * weight : value.map((turn) => turn * weight);
}

function added(values: readonly RewardValue[]): RewardValue {
  const lists = values.filter((value) => typeof value !== 'number');
  const outcomes = values.filter((value) => typeof value === 'number');
  const [first] = lists;
  if (first === undefined) return sumOfDecimals(outcomes);
  const other = lists.find(({ length }) => length !== first.length);
  if (other !== undefined) {
    throw new ArtError({
      code: 'ART_REWARD_INVALID',
      message: `Expected the rewards of a sum to have the same number of turns, got ${first.length} and ${other.length}. Give every turn a number in each of them.`,
    });
  }
  return first.map((_, turn) =>
    sumOfDecimals([...lists.map((list) => list[turn] ?? 0), ...(turn === first.length - 1 ? outcomes : [])]),
  );
}
