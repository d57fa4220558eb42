import type { ArtError } from '@art/ground';
import { StoreError } from '@art/store';
import type { Fallback, FailureCause } from './failure-policy.ts';
import type { ItemRules, ItemVerdict } from './item-rules.ts';

/** Where a member of an item is. */
export type MemberState =
  /**
   * A member without a reward so far. Of `granted` attempts `ended` have failed, for the causes in `failed`; `hedges`
   * were granted because one was slow.
   */
  | { phase: 'open'; granted: number; ended: number; failed: readonly FailureCause[]; hedges: number }
  | { phase: 'kept'; attempt: number; reward: number | undefined }
  | { phase: 'failed'; attempt: number; cause: FailureCause; error: ArtError; fallback: Fallback }
  /** The item was settled without it. */
  | { phase: 'surplus' };

/** The members of one item, in their order. It is settled when none is open. */
export type ItemState = readonly MemberState[];

/**
 * How whole a settled item is. A rollout of a batch that is `ok` is complete, every other one failed.
 * - `complete`: as many members with a reward as were asked for.
 * - `degraded`: fewer, but enough to be of use: `minGroupSize` at least.
 * - `failed`: fewer than that.
 */
export type ItemKind = 'complete' | 'degraded' | 'failed';

export type ItemTransition =
  | {
      type: 'ended';
      member: number;
      attempt: number;
      verdict: ItemVerdict;
      mayRetry: boolean;
      /** A resume called the attempt off: another one is due, whatever the policy says. */
      isRecalled: boolean;
    }
  /** An attempt has been running for longer than `hedge` allows. */
  | { type: 'slow'; member: number }
  /** Nothing further will be started. */
  | { type: 'closed' };

type OpenMember = Extract<MemberState, { phase: 'open' }>;

/** States are never changed, so that all new members share one. */
export const newMember: MemberState = { phase: 'open', granted: 1, ended: 0, failed: [], hedges: 0 };

/** A member of which earlier processes made attempts. @param failed why those failed that have ended */
export function pastMember(made: number, failed: readonly FailureCause[]): MemberState {
  return { phase: 'open', granted: made, ended: failed.length, failed, hedges: 0 };
}

/**
 * The only way an item changes, and the only place where attempts are counted. A member keeps its first reward; what arrives for one
 * that is not open changes nothing.
 */
export function advanceItem(state: ItemState, transition: ItemTransition, rules: ItemRules): ItemState {
  if (transition.type === 'closed') return endOpenMembers(state);
  const before = state[transition.member];
  if (before?.phase !== 'open') return state;
  const after =
    transition.type === 'slow' ? hedgeMember(before, rules) : endAttempt(before, transition, rules, state);
  if (after === before) return state;
  const next = state.with(transition.member, after);
  return isDecided(next, rules) ? endOpenMembers(next) : next;
}

export function kindOf(state: ItemState, { targetSize, minSize }: ItemRules): ItemKind {
  const kept = countOf(state, 'kept');
  if (kept >= targetSize) return 'complete';
  return kept >= minSize ? 'degraded' : 'failed';
}

function hedgeMember(member: OpenMember, { hedge }: ItemRules): MemberState {
  if (member.hedges >= (hedge?.attempts ?? 0)) return member;
  return { ...member, granted: member.granted + 1, hedges: member.hedges + 1 };
}

function endAttempt(
  member: OpenMember,
  { attempt, verdict, mayRetry, isRecalled }: Extract<ItemTransition, { type: 'ended' }>,
  rules: ItemRules,
  item: ItemState,
): MemberState {
  if (verdict.kind === 'kept') return { phase: 'kept', attempt, reward: verdict.reward };
  const { cause, error } = verdict;
  const ended = member.ended + 1;
  const failed = [...member.failed, cause];
  // Another attempt of the member is still under way.
  if (ended < member.granted) return { ...member, ended, failed };
  if (mayRetry && (isRecalled || (isNeeded(item, rules) && mayTryAgain(member, verdict, rules))))
    return { ...member, ended, failed, granted: member.granted + 1 };
  const fallback = cause === 'cancelled' ? 'mask' : rules.fallbacks[cause];
  return typeof fallback === 'object'
    ? { phase: 'kept', attempt, reward: fallback.reward }
    : { phase: 'failed', attempt, cause, error, fallback };
}

/** Each cause is counted by itself. What lies in a store that refuses to be read would only be done once more. */
function mayTryAgain(
  { failed }: OpenMember,
  { cause, error }: Exclude<ItemVerdict, { kind: 'kept' }>,
  { retries }: ItemRules,
): boolean {
  if (cause === 'infra_error' && StoreError.isInstance(error) && !error.retryable) return false;
  return cause !== 'cancelled' && failed.filter((before) => before === cause).length < retries[cause];
}

// Members started beyond the size that is kept make up for failed ones before anything is started anew.
function isNeeded(state: ItemState, rules: ItemRules): boolean {
  return countOf(state, 'kept') + countOf(state, 'open') <= rules.targetSize;
}

function isDecided(state: ItemState, rules: ItemRules): boolean {
  const kept = countOf(state, 'kept');
  return kept >= rules.targetSize || kept + countOf(state, 'open') < rules.minSize;
}

function endOpenMembers(state: ItemState): ItemState {
  if (countOf(state, 'open') === 0) return state;
  return state.map((member) => (member.phase === 'open' ? { phase: 'surplus' } : member));
}

function countOf(state: ItemState, phase: MemberState['phase']): number {
  return state.reduce((count, member) => count + (member.phase === phase ? 1 : 0), 0);
}
