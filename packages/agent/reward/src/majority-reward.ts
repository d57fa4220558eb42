import {
  aNumber,
  describeThrown,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import { judgeFailed } from './judge-failed.ts';
import type { RewardContext } from './reward-context.ts';
import { RewardFunction } from './reward-function.ts';

/** Options of `MajorityReward`. */
export interface MajorityRewardOptions {
  /** Reward from which a judge says that it passed. @default 1 */
  passReward?: number | undefined;
}

const rules = { passReward: optional(aNumber(), 1) } satisfies OptionRules<MajorityRewardOptions>;

/**
 * Several judges vote: 1 where more than half of them say that it passed, 0 where more than half say that it did not. A judge that fails has no vote,
 * and is no 0; where the others are no majority of all, nothing is judged.
 */
export class MajorityReward<in Input> extends RewardFunction<Input, number> {
  readonly #judges: readonly RewardFunction<Input>[];
  readonly #passReward: number;

  /** @throws ArtError `ART_INVALID_OPTION` for fewer than three judges, or a number of them that can be split in half */
  constructor(judges: readonly RewardFunction<Input>[], options: MajorityRewardOptions = {}) {
    super();
    if (!Array.isArray(judges) || judges.length < 3 || judges.length % 2 === 0)
      refuseOption('judges', 'an odd number of reward functions, three at least', judges);
    const aReward = withMethod<RewardFunction<Input>>('a RewardFunction', 'compute');
    this.#judges = judges.map((judge, index) => aReward(judge, `judges[${index}]`));
    this.#passReward = readOptions('MajorityReward', options, rules).passReward;
  }

  /** @throws ArtError `ART_JUDGE_FAILED` where there is no majority; the signal's reason */
  protected override async evaluate(input: Input, context: RewardContext): Promise<number> {
    const votes = await Promise.allSettled(this.#judges.map(async (judge) => judge.compute(input, context)));
    context.signal?.throwIfAborted();
    const given = votes.flatMap((vote) => (vote.status === 'fulfilled' ? [[vote.value].flat().at(-1)!] : []));
    const passed = given.filter((reward) => isAtLeast(reward, this.#passReward)).length;
    const count = votes.length;
    const most = Math.max(passed, given.length - passed);
    if (most < count)
      context.remark?.(`${passed} of ${count} judges passed it, ${count - given.length} failed.`);
    if (2 * most > count) return Number(2 * passed > count);
    const failure = votes.find((vote) => vote.status === 'rejected')?.reason as unknown;
    return judgeFailed(
      `a majority of ${count} judges`,
      `${passed} for a pass and ${given.length - passed} against: ${describeThrown(failure).message}`,
      failure,
    );
  }
}
