import { refuseOption, withMethod } from '@art/ground';
import type { RewardContext } from './reward-context.ts';
import { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';

/**
 * A reward over something else than it takes: `select` makes its input. So a reward over texts judges the samples of an evaluation.
 */
export class SelectReward<
  in Input,
  Selected,
  out Value extends RewardValue = RewardValue,
> extends RewardFunction<Input, Value> {
  readonly #reward: RewardFunction<Selected, Value>;
  readonly #select: (input: Input) => Selected;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(reward: RewardFunction<Selected, Value>, select: (input: Input) => Selected) {
    super();
    if (typeof select !== 'function') refuseOption('select', 'a function', select);
    this.#reward = withMethod<typeof reward>('a RewardFunction', 'compute')(reward, 'reward');
    this.#select = select;
  }

  protected override evaluate(input: Input, context: RewardContext): Promise<Value> {
    return this.#reward.compute(this.#select(input), context);
  }
}
