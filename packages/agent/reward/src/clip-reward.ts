import { aNumber, optional, type OptionRules, readOptions, refuseOption, withMethod } from '@art/ground';
import type { RewardContext } from './reward-context.ts';
import { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';

/** At least one of the two bounds. */
export interface ClipRewardOptions {
  /** Smallest reward; anything below becomes this. @default no lower bound */
  min?: number | undefined;
  /** Largest reward; anything above becomes this. @default no upper bound */
  max?: number | undefined;
}

const rules = { min: optional(aNumber()), max: optional(aNumber()) } satisfies OptionRules<ClipRewardOptions>;

/** Another reward kept between two bounds, turn by turn. The inner reward is checked first: a NaN is not clipped away. */
export class ClipReward<in Input, out Value extends RewardValue = RewardValue> extends RewardFunction<
  Input,
  Value
> {
  readonly #reward: RewardFunction<Input, Value>;
  readonly #min: number;
  readonly #max: number;

  /** @throws ArtError `ART_INVALID_OPTION` for a bound that is not a finite number, no bounds, or `min` above `max` */
  constructor(reward: RewardFunction<Input, Value>, options: ClipRewardOptions) {
    super();
    this.#reward = withMethod<typeof reward>('a RewardFunction', 'compute')(reward, 'reward');
    const { min, max } = readOptions('ClipReward', options ?? {}, rules);
    if (min === undefined && max === undefined)
      refuseOption('options', 'an object with min, max or both', options);
    this.#min = min ?? -Infinity;
    this.#max = max ?? Infinity;
    if (this.#min > this.#max) refuseOption('min', `at most max (${max})`, min);
  }

  protected override async evaluate(input: Input, context: RewardContext): Promise<Value> {
    const value: RewardValue = await this.#reward.compute(input, context);
    // Clipping keeps the shape.
    return (typeof value === 'number' ? this.#clip(value) : value.map((turn) => this.#clip(turn))) as Value;
  }

  #clip(value: number): number {
    return Math.min(this.#max, Math.max(this.#min, value));
  }
}
