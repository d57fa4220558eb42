import {
  aFunction,
  aNumber,
  anObject,
  anyValue,
  describeValue,
  fitting,
  oneOf,
  optional,
  type OptionRules,
  refuseOption,
} from '@art/protocol';
import type { BatchProgress } from '../pool/batch-progress.ts';
import { checkIterable, checkRun, type RunOptions, runRules } from '../pool/run-options.ts';
import type { Payload, RolloutOverrides } from '../request/rollout-request.ts';
import type { AdvantageOptions } from './group-advantages.ts';
import { type GroupPolicy, groupPolicyRules } from './group-policy.ts';
import type { GroupKind } from './group.ts';
import { rewardRuleNames, type RewardRule } from './reduce-rewards.ts';

/** Where `runGroups` takes its inputs from; never read further ahead than there is room. */
export type InputSource<Input extends object> = Iterable<Input> | AsyncIterable<Input>;

/** Which rollout of which group; all from 0. */
export interface MemberPlace {
  /** Position of the input of its group: `group.index`. */
  index: number;
  member: number;
  /** 0 for the first attempt of a member, 1 for its first retry or replacement. */
  attempt: number;
}

/** How far a run of groups is. */
export interface GroupProgress {
  /** Inputs whose rollouts have been lined up so far. */
  opened: number;
  /** Groups that are not settled yet. */
  active: number;
  /** Settled groups by kind. */
  settled: Record<GroupKind, number>;
  /**
   * Attempts of all members, retries and replacements among them; those that were stopped count as `cancelled`. Its mean
   * reward reads the last turn, whatever the groups' rule is.
   */
  rollouts: BatchProgress;
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
  minViableSize?: number | undefined;
  /**
   * Settled groups that may wait for the consumer; no new group starts while it is full. Those that have started are
   * finished. @default as many groups as fit into maxConcurrentSessions
   */
  maxBufferedGroups?: number | undefined;
  /** What to do about members that fail or are late. @default see `GroupPolicy` */
  policy?: GroupPolicy | undefined;
  /** How the rewards of several turns become one. @default 'last' */
  rewardRule?: RewardRule | undefined;
  /** Computes advantages; `{}` for mean-centred ones. @default none */
  advantages?: AdvantageOptions | undefined;
  /** Dataset item of an input, shared by all members of its group. @default generated; all of a run share a prefix */
  inputId?: ((input: Input, index: number) => string) | undefined;
  /** Session of an attempt; 33 to 256 characters, each its own. @default a random UUID */
  sessionId?: ((input: Input, place: MemberPlace) => string) | undefined;
  /** Fields of `_rollout` for an attempt, a sampling seed for one; they win over the client's. */
  overrides?: ((input: Input, place: MemberPlace) => RolloutOverrides) | undefined;
  /** Told how far the run is, whenever that changes. Must not throw. */
  onProgress?: ((progress: GroupProgress) => void) | undefined;
}

/** The options that decide about a group, with every default filled in. */
export interface GroupRules {
  size: number;
  targetSize: number;
  minViableSize: number;
  mostReplacements: number;
  policy: GroupPolicy;
  rewardRule: RewardRule;
  advantages: AdvantageOptions | undefined;
}

const advantageRules = {
  baseline: optional(oneOf('mean', 'leave_one_out')),
  scale: optional(oneOf('none', 'population', 'sample')),
  epsilon: optional(aNumber({ above: 0 })),
};

const rules = {
  ...runRules,
  rolloutsPerInput: aNumber({ min: 1, integer: true }),
  keepFirst: anyValue(),
  minViableSize: anyValue(),
  maxBufferedGroups: optional(aNumber({ min: 1, integer: true })),
  policy: optional(anObject(groupPolicyRules)),
  rewardRule: optional(
    fitting(`one of ${rewardRuleNames.map(describeValue).join(', ')} or a function`, isRewardRule),
  ),
  advantages: optional(anObject(advantageRules)),
  inputId: optional(aFunction()),
  sessionId: optional(aFunction()),
  overrides: optional(aFunction()),
  onProgress: optional(aFunction()),
} satisfies OptionRules<GroupOptions, 'advantages'>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkGroupOptions(inputs: unknown, options: GroupOptions<never>): void {
  checkIterable('inputs', inputs);
  checkRun('a run of groups', options, rules);
  checkSize('keepFirst', options.keepFirst, options.rolloutsPerInput, 'rolloutsPerInput');
  const target = options.keepFirst ?? options.rolloutsPerInput;
  checkSize('minViableSize', options.minViableSize, target, 'the size of a whole group');
  const { baseline, ...notForLeaveOneOut } = options.advantages ?? {};
  if (baseline !== 'leave_one_out') return;
  for (const [name, value] of Object.entries(notForLeaveOneOut))
    if (value !== undefined)
      refuseOption(`advantages.${name}`, "left out where baseline is 'leave_one_out'", value);
}

export function resolveGroupRules(options: GroupOptions<never>): GroupRules {
  const { rolloutsPerInput: size, keepFirst: targetSize = size, policy = {} } = options;
  return {
    size,
    targetSize,
    minViableSize: options.minViableSize ?? Math.min(2, targetSize),
    mostReplacements: policy.late === undefined ? 0 : (policy.late.replacements ?? 1),
    policy,
    rewardRule: options.rewardRule ?? 'last',
    advantages: options.advantages,
  };
}

function checkSize(name: string, value: number | undefined, most: number, mostName: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return;
  refuseOption(name, `an integer from 1 to ${mostName}, ${most}`, value);
}

function isRewardRule(rule: unknown): boolean {
  return typeof rule === 'function' || (rewardRuleNames as readonly unknown[]).includes(rule);
}
