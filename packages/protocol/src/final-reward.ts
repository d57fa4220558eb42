import type { ResultDocument } from './result-document.ts';

/**
 * The one number by which trainers judge a rollout: `rewards` itself, or its last element where it is a list; where there
 * is no `rewards`, the scalar `reward` that newer trainers read. Undefined where there is none or it is not finite; it is
 * never made up.
 */
export function finalReward(document: ResultDocument): number | undefined {
  const rewards = document.rewards ?? document['reward'];
  const last: unknown = Array.isArray(rewards) ? rewards.at(-1) : rewards;
  return typeof last === 'number' && Number.isFinite(last) ? last : undefined;
}
