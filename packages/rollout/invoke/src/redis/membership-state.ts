/**
 * How this process may use a rate that it shares through Redis.
 * - `connecting`: Redis has not been heard yet; only the own share.
 * - `alone`: Redis is away; only the own share.
 * - `joining`: Redis answers, but other processes may still be alone; what Redis grants, and no more than the own share.
 * - `shared`: every process asks Redis; what Redis grants.
 *
 * The sum stays within the rate at every moment, because nobody is `shared` while somebody uses the own share only.
 */
export type MembershipState =
  | { kind: 'connecting' }
  | { kind: 'alone' }
  | { kind: 'joining'; sinceMs: number }
  | { kind: 'shared' };

/** Events of the state. */
export type MembershipChange =
  | {
      kind: 'answered';
      /** Processes that were heard of lately, this one included. */
      present: number;
      /** Processes that fell silent without saying goodbye. */
      vanished: number;
    }
  | { kind: 'lost' };

/** Rules that the transitions depend on. */
export interface MembershipRules {
  processes: number;
  presumeDeadAfterMs: number;
}

/** A process is present for this long after it was last heard of. */
export const presenceMs = 2_500;

/** The only place where the state changes; `nowMs` is monotonic. */
export function nextMembershipState(
  state: MembershipState,
  change: MembershipChange,
  rules: MembershipRules,
  nowMs: number,
): MembershipState {
  if (change.kind === 'lost') return state.kind === 'alone' ? state : { kind: 'alone' };
  switch (state.kind) {
    case 'connecting':
    case 'alone':
      return { kind: 'joining', sinceMs: nowMs };
    case 'joining': {
      const joiningForMs = nowMs - state.sinceMs;
      // Redis may have kept the presence of a process that was heard of before the break and has not come back.
      if (joiningForMs < presenceMs || change.vanished > 0) return state;
      const isComplete = change.present >= rules.processes || joiningForMs >= rules.presumeDeadAfterMs;
      return isComplete ? { kind: 'shared' } : state;
    }
    case 'shared':
      return change.vanished > 0 ? { kind: 'joining', sinceMs: nowMs } : state;
  }
}
