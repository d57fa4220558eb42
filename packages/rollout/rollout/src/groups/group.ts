import type { ArtError } from '@art/ground';
import type { RolloutOutcome } from '@art/protocol';
import type { TrainingRow } from '@art/trajectories';
import type { Attempt } from '../items/attempt.ts';
import type { FailureCause } from '../items/failure-policy.ts';
import type { ItemKind } from '../items/item-state.ts';

interface MemberBase {
  /** Its number in the group, from 0. */
  member: number;
  /** Every session that worked for it, in order; more than one after retries and hedges. */
  attempts: readonly Attempt[];
}

/** A member with a reward. */
export interface KeptMember extends MemberBase {
  status: 'kept';
  /** Always finite. */
  reward: number;
  /**
   * The advantage of `reward`. Undefined unless `advantages` was asked for and the group is usable; advantages by turn
   * are in the rows only.
   */
  advantage: number | undefined;
  /** By which a trainer multiplies the member's loss. */
  weight: 1;
  /** The attempt that counts, one of `attempts`. */
  attempt: Attempt;
  /** The outcome of that attempt; `agent_error` only if `fallback` gives failures a reward. */
  outcome: Extract<RolloutOutcome, { kind: 'ok' | 'agent_error' }>;
}

interface FailedMember extends MemberBase {
  /** Why it has no reward. */
  cause: FailureCause;
  error: ArtError;
  /** The attempt that failed last. */
  attempt: Attempt;
  outcome: RolloutOutcome;
}

/** A member that failed and holds its place: no reward, and nothing that a mean may count. */
export interface MaskedMember extends FailedMember {
  status: 'masked';
  reward: undefined;
  advantage: undefined;
  weight: 0;
}

/** A member that failed and left the group. */
export interface DroppedMember extends FailedMember {
  status: 'dropped';
}

/** A member that was stopped, or never started, because the group was settled without it. */
export interface SurplusMember extends MemberBase {
  status: 'surplus';
}

/** A member of a group as a trainer sees it. */
export type GroupMember = KeptMember | MaskedMember;

/** A member of a group that gives no rows, and why. */
export interface MemberWithoutRows {
  member: number;
  /**
   * `masked`, `dropped`: it failed. `surplus`: the group was settled without it. `unusable_group`: it has a reward, but too
   * few others have. `nothing_captured`: it has a reward, but the gateway saw nothing of it that trains. `not_chosen`: the same, and
   * `trains` left out turns of it. `turn_rewards`: it has not exactly one reward for each turn, so that it is in no mean either.
   */
  reason:
    | 'masked'
    | 'dropped'
    | 'surplus'
    | 'unusable_group'
    | 'nothing_captured'
    | 'not_chosen'
    | 'turn_rewards';
  /** The problem in one sentence, for `not_chosen` and `turn_rewards`. */
  problem?: string;
}

/** The training rows of a group. */
export interface GroupRows {
  /** Member by member, with the member's reward on its last row and its advantage for every token that trains. */
  rows: readonly TrainingRow[];
  /** Members that the rows are of. */
  members: number;
  without: readonly MemberWithoutRows[];
}

interface GroupBase<Input> {
  /** Names it in the run and in its journal: its `inputId` where the caller gave one, else its position. */
  id: string;
  /** Position of its input in the data, from 0. */
  index: number;
  /** Shared by all members. */
  inputId: string;
  input: Input;
  /** In their order; kept and masked ones. */
  members: readonly GroupMember[];
  /** Members that are no part of the group, in their order. */
  leftOut: readonly (DroppedMember | SurplusMember)[];
  /** The rewards of `members`, one by one; undefined for a masked one. */
  rewards: readonly (number | undefined)[];
  /** Mean over kept members only; undefined where there is none. */
  meanReward: number | undefined;
  /** How many of the members that a whole group has are without reward. */
  missing: number;
  /** From the moment the input was taken until the group was settled, in milliseconds. */
  elapsedMs: number;
  /**
   * Tells the run that the group has been dealt with; once this resolves it is never yielded again, by no process that has the
   * journal. Not enumerable, so that a group can be cloned and compared.
   * @throws ArtError `ART_JOURNAL_WRITE_FAILED`, `ART_JOURNAL_LOST`
   */
  acknowledge(): Promise<void>;
  /**
   * Training rows of the members that have a reward, advantages filled in; mean-centred where `advantages` was not asked for.
   * What failed is left out and listed, and of a group that is not usable everything is. Not enumerable.
   * @throws ArtError `ART_INVALID_OPTION` without a gateway; GatewayError where it could not be asked: ask again, it answers the same
   */
  rows(): Promise<GroupRows>;
}

/** The advantages of `members`, one by one; undefined for a masked one. Undefined as a whole unless asked for. */
type Advantages = readonly (number | undefined)[] | undefined;

/**
 * The rollouts of one input, settled.
 * - `complete`: as many rewards as were asked for.
 * - `degraded`: fewer, but `minGroupSize` at least.
 * - `failed`: fewer than that; no advantages, nothing to train on.
 */
export type Group<Input = unknown> =
  | (GroupBase<Input> & { kind: 'complete' | 'degraded'; usable: true; advantages: Advantages })
  | (GroupBase<Input> & { kind: 'failed'; usable: false; advantages: undefined });

/** How whole a group is. */
export type GroupKind = ItemKind;
