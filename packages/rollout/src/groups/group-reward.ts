import type { GroupRules } from './group-options.ts';
import { failureRule } from './group-policy.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';

/** By the rules of a group: what it would count is kept, failed handlers with a reward of the policy among it. */
export function groupReward({ rewardRule, policy }: GroupRules): CaptureReward {
  return (outcome) => {
    const judgement = judgeOutcome(outcome, rewardRule);
    if (judgement.kind === 'rewarded') return judgement.reward;
    const { fallback } = failureRule(policy, judgement.cause);
    return typeof fallback === 'object' ? fallback.reward : undefined;
  };
}
