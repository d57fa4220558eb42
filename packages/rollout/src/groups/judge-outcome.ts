import { ArtError, describeValue, documentRewards, type RolloutOutcome } from '@art/protocol';
import { reduceRewards, type RewardRule } from './reduce-rewards.ts';

/**
 * Why a rollout has no reward.
 * - `infrastructure`: `infra_error`, `lost`, `throttled`, `rejected`, `invalid_result`, `cancelled`. Says nothing about the agent.
 * - `timeout`: the session was alive and not done in time.
 * - `agent_error`: the handler failed.
 * - `no_reward`: `ok`, but without a finite reward.
 */
export type FailureCause = 'infrastructure' | 'timeout' | 'agent_error' | 'no_reward';

/** What an outcome means for a group. */
export type Judgement =
  | { kind: 'rewarded'; reward: number }
  | { kind: 'failed'; cause: FailureCause; error: ArtError };

export function judgeOutcome(outcome: RolloutOutcome, rule: RewardRule): Judgement {
  switch (outcome.kind) {
    case 'ok':
      return judgeRewards(documentRewards(outcome.document), rule);
    case 'agent_error':
    case 'timeout':
      return { kind: 'failed', cause: outcome.kind, error: outcome.error };
    case 'infra_error':
    case 'lost':
    case 'throttled':
    case 'rejected':
    case 'invalid_result':
    case 'cancelled':
      return { kind: 'failed', cause: 'infrastructure', error: outcome.error };
  }
}

function judgeRewards(rewards: unknown, rule: RewardRule): Judgement {
  let cause: unknown;
  try {
    const reward = reduceRewards(rewards, rule);
    if (reward !== undefined) return { kind: 'rewarded', reward };
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
