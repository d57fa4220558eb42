import { readOptions } from '@art/ground';
import { fallbackRules, defaultRetryDelayMs, groupRetryRules } from '../items/failure-policy.ts';
import type { ItemRules } from '../items/item-rules.ts';
import type { RunForm } from '../run/open-run.ts';
import { buildGroup } from './build-group.ts';
import { checkGroupOptions, type GroupOptions } from './group-options.ts';
import type { Group } from './group.ts';
import { judgeOutcome } from './judge-outcome.ts';

/** A run of groups: its items have several rollouts each. */
export const groupForm = <Input extends object>(): RunForm<Input, GroupOptions<Input>, Group<Input>> => ({
  kind: 'groups',
  placeholders: { maxConcurrentSessions: 1, rolloutsPerInput: 1_000_000 },
  check: checkGroupOptions,
  rulesOf: groupRules,
  nameOf: ({ inputId }) => inputId,
  build: buildGroup,
});

/** The rules for the groups of a run. */
export function groupRules<Input extends object>(options: GroupOptions<Input>): ItemRules<Input> {
  const { sessionId, overrides } = options;
  const { rolloutsPerInput: size, keepFirst: targetSize = size, rewardRule = 'last', hedge } = options;
  const fallbacks = readOptions('fallback', options.fallback ?? {}, fallbackRules, 'fallback.');
  const rules: ItemRules<Input> = {
    size,
    targetSize,
    minSize: options.minGroupSize ?? Math.min(2, targetSize),
    retries: readOptions('retry', options.retry ?? {}, groupRetryRules, 'retry.'),
    fallbacks,
    hedge: hedge && { afterMs: hedge.afterMs, attempts: hedge.attempts ?? 1 },
    retryDelayMs: options.retryDelayMs ?? defaultRetryDelayMs,
    choose: (input, place) => ({
      sessionId: sessionId?.(input, place),
      overrides: overrides?.(input, place),
    }),
    judge: (outcome) => judgeOutcome(outcome, rewardRule),
    // What the group would count is kept, failed handlers that are given a reward among it.
    rewardOf: (outcome) => {
      const verdict = rules.judge(outcome);
      if (verdict.kind === 'kept') return verdict.reward;
      const fallback = verdict.cause === 'cancelled' ? undefined : fallbacks[verdict.cause];
      return typeof fallback === 'object' ? fallback.reward : undefined;
    },
  };
  return rules;
}
