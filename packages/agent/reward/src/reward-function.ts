import { normalizeReward } from './normalize-reward.ts';
import type { RewardContext } from './reward-context.ts';
import type { RewardValue } from './reward-value.ts';

/**
 * Base of every reward function. Implement {@link RewardFunction.evaluate}; call {@link RewardFunction.compute}.
 *
 * @typeParam Input What is judged, usually an object with the response and the ground truth.
 * @typeParam Value `number`, `number[]` (one a turn), or either.
 */
export abstract class RewardFunction<in Input, out Value extends RewardValue = RewardValue> {
  /**
   * Judges `input` and checks the judgement.
   * @param context passed on to {@link RewardFunction.evaluate}
   * @returns a finite number, or a non-empty list of finite numbers
   * @throws ArtError `ART_REWARD_INVALID` when {@link RewardFunction.evaluate} returned anything else
   */
  async compute(input: Input, context: RewardContext = {}): Promise<Value> {
    // normalizeReward keeps the shape: a number stays a number, a list a list.
    return normalizeReward(
      await this.evaluate(input, context),
      `the reward of ${this.constructor.name}`,
    ) as Value;
  }

  /** The judgement itself, at once or as a promise. Need not check its own numbers. */
  protected abstract evaluate(input: Input, context: RewardContext): Value | Promise<Value>;
}
