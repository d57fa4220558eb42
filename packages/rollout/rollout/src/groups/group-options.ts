import {
  aFunction,
  aNumber,
  anObject,
  unchecked,
  describeValue,
  custom,
  oneOf,
  optional,
  type OptionRules,
  refuseOption,
} from '@art/ground';
import type { AttemptPlace } from '../items/attempt.ts';
import {
  fallbackRules,
  type FallbackPolicy,
  groupRetryRules,
  type GroupRetryPolicy,
} from '../items/failure-policy.ts';
import type { Payload, RolloutOverrides } from '../request/rollout-request.ts';
import { checkData, checkRun, type RunOptions, runRules } from '../run/run-options.ts';
import type { AdvantageOptions } from './group-advantages.ts';
import { rewardRuleNames, type RewardRule } from './reduce-rewards.ts';

/** Where `runGroups` takes its inputs from; never read further ahead than there is room. */
export type InputSource<Input extends object> = Iterable<Input> | AsyncIterable<Input>;

/** When a member is slow: another attempt beside it; the first one with a reward is kept. */
export interface HedgeOptions {
  /** Milliseconds from the submission of an attempt after which it counts as slow. */
  afterMs: number;
  /** Further attempts of this kind, per member. @default 1 */
  attempts?: number | undefined;
}

/** Options of `runGroups`. What is in `RunOptions` holds for all groups together. */
export interface GroupOptions<Input extends object = Payload> extends RunOptions {
  /** Rollouts started for each input. */
  rolloutsPerInput: number;
  /**
   * Over-sampling: the group is settled with its first `keepFirst` rewards and the rest is stopped at once. This favours
   * short and fast rollouts; see the page on groups. @default rolloutsPerInput
   */
  keepFirst?: number | undefined;
  /** Rewards that a group needs to be usable. @default 2, or 1 where only one is kept */
  minGroupSize?: number | undefined;
  /**
   * Further attempts of a member, by what an attempt ended with; made only where the group cannot be whole without them.
   * @default { lost: 2, infra_error: 2, throttled: 5 }, and none for every other cause
   */
  retry?: GroupRetryPolicy | undefined;
  /** The treatment of a member whose attempts are used up, by the cause of its last failure. @default 'mask' for all */
  fallback?: FallbackPolicy | undefined;
  /** The treatment of members that run for long. @default none: a slow member is waited for until its timeout */
  hedge?: HedgeOptions | undefined;
  /** How the rewards of several turns become one. @default 'last' */
  rewardRule?: RewardRule | undefined;
  /** Computes advantages; `{}` for mean-centred ones. @default none */
  advantages?: AdvantageOptions | undefined;
  /**
   * Dataset item of an input, shared by all members of its group, by which the run and its journal know it. Where several inputs have
   * one, the second is the item `id#2`. @default generated; all of a run share a prefix, and the journal knows items by their positions
   */
  inputId?: ((input: Input, index: number) => string) | undefined;
  /** Session of an attempt; 33 to 256 characters, each its own. @default a random UUID */
  sessionId?: ((input: Input, place: AttemptPlace) => string) | undefined;
  /** Fields of `_rollout` for an attempt, a sampling seed for one; they win over the client's. */
  overrides?: ((input: Input, place: AttemptPlace) => RolloutOverrides) | undefined;
}

const hedgeRules = {
  afterMs: aNumber({ above: 0 }),
  attempts: optional(aNumber({ min: 1, integer: true })),
} satisfies OptionRules<HedgeOptions>;

const advantageRules = {
  credit: optional(oneOf('rollout', 'turn')),
  discount: optional(aNumber({ above: 0, max: 1 })),
  turnBaseline: optional(oneOf('group', 'turn')),
  baseline: optional(oneOf('mean', 'leave_one_out')),
  scale: optional(oneOf('none', 'population', 'sample')),
  epsilon: optional(aNumber({ above: 0 })),
};

const rules = {
  ...runRules,
  rolloutsPerInput: aNumber({ min: 1, integer: true }),
  keepFirst: unchecked(),
  minGroupSize: unchecked(),
  retry: optional(anObject(groupRetryRules)),
  fallback: optional(anObject(fallbackRules)),
  hedge: optional(anObject(hedgeRules)),
  rewardRule: optional(
    custom(`one of ${rewardRuleNames.map(describeValue).join(', ')} or a function`, isRewardRule),
  ),
  advantages: optional(anObject(advantageRules)),
  inputId: optional(aFunction()),
  sessionId: optional(aFunction()),
  overrides: optional(aFunction()),
} satisfies OptionRules<GroupOptions, 'advantages'>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkGroupOptions(inputs: unknown, options: GroupOptions<never>): void {
  checkData('inputs', inputs);
  checkRun('a run of groups', options, rules);
  checkSize('keepFirst', options.keepFirst, options.rolloutsPerInput, 'rolloutsPerInput');
  const target = options.keepFirst ?? options.rolloutsPerInput;
  checkSize('minGroupSize', options.minGroupSize, target, 'the size of a whole group');
  const { baseline, credit, discount, turnBaseline, scale, epsilon } = options.advantages ?? {};
  if (credit !== 'turn') refuseGiven({ discount, turnBaseline }, "where credit is not 'turn'");
  if (baseline !== 'leave_one_out') return;
  refuseGiven({ scale, epsilon, turnBaseline }, "where baseline is 'leave_one_out'");
}

function refuseGiven(given: Readonly<Record<string, unknown>>, where: string): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) refuseOption(`advantages.${name}`, `left out ${where}`, value);
}

function checkSize(name: string, value: number | undefined, most: number, mostName: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return;
  refuseOption(name, `an integer from 1 to ${mostName}, ${most}`, value);
}

function isRewardRule(rule: unknown): boolean {
  return typeof rule === 'function' || (rewardRuleNames as readonly unknown[]).includes(rule);
}
