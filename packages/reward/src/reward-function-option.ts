import { refuseOption } from '@art/protocol';
import type { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';

/** An option that must be a reward function, also one of another copy of this package. @throws ArtError `ART_INVALID_OPTION` */
export function rewardFunctionOption<Input, Value extends RewardValue>(
  name: string,
  value: RewardFunction<Input, Value>,
): RewardFunction<Input, Value> {
  return typeof (value as { compute?: unknown } | undefined)?.compute === 'function'
    ? value
    : refuseOption(name, 'a RewardFunction', value);
}
