import { ArtError, describeValue } from '@art/ground';
import { documentRewards, type RolloutOutcome } from '@art/protocol';
import type { ItemVerdict } from '../items/item-rules.ts';
import { reduceRewards, type RewardRule } from './reduce-rewards.ts';

/** The verdict of a group on an outcome: `ok` counts only with a finite reward. */
export function judgeOutcome(outcome: RolloutOutcome, rule: RewardRule): ItemVerdict {
  if (outcome.kind === 'ok') return judgeRewards(documentRewards(outcome.document), rule);
  return { kind: 'failed', cause: outcome.kind, error: outcome.error };
}

function judgeRewards(rewards: unknown, rule: RewardRule): ItemVerdict {
  let cause: unknown;
  try {
    const reward = reduceRewards(rewards, rule);
    if (reward !== undefined) return { kind: 'kept', reward };
  } catch (error) {
    cause = error;
  }
  const ruleName = typeof rule === 'function' ? "the caller's function" : `'${rule}'`;
  const problem =
    cause === undefined
      ? 'that gives no finite number'
      : `it threw: ${cause instanceof Error ? cause.message : describeValue(cause)}`;
  return {
    kind: 'failed',
    cause: 'no_reward',
    error: new ArtError({
      code: 'ART_REWARD_INVALID',
      message: `Expected rewards that ${ruleName} reduces to a finite number, got ${describeValue(rewards)}; ${problem}. Correct the agent's reward function, or choose another rewardRule.`,
      cause,
    }),
  };
}
