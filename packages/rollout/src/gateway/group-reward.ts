import type { GroupRules } from '../groups/group-options.ts';
import { failureRule } from '../groups/group-policy.ts';
import { judgeOutcome } from '../groups/judge-outcome.ts';
import type { CaptureReward } from './gateway-session.ts';

/** By the rules of a group: what it would count is kept, failed handlers with a reward of the policy among it. */
export function groupReward({ rewardRule, policy }: GroupRules): CaptureReward {
  return (outcome) => {
    const judgement = judgeOutcome(outcome, rewardRule);
    if (judgement.kind === 'rewarded') return judgement.reward;
    const { fallback } = failureRule(policy, judgement.cause);
    return typeof fallback === 'object' ? fallback.reward : undefined;
  };
}
