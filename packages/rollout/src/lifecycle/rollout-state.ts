import type { RolloutOutcome } from '@art/protocol';

/** Where a rollout is. Times are monotonic milliseconds. */
export type RolloutState =
  | { phase: 'submitting'; submittedMs: number }
  | { phase: 'running'; submittedMs: number; acceptedMs: number }
  | { phase: 'fetching'; submittedMs: number; acceptedMs?: number | undefined; noticedMs: number }
  | {
      phase: 'settled';
      submittedMs: number;
      acceptedMs?: number | undefined;
      noticedMs?: number | undefined;
      settledMs: number;
      outcome: RolloutOutcome;
    };

export type RolloutTransition =
  | { type: 'accepted'; atMs: number }
  | { type: 'noticed'; atMs: number }
  | { type: 'settled'; atMs: number; outcome: RolloutOutcome };

/** The only way a rollout's state changes. The first outcome stays; whatever arrives later changes nothing. */
export function advanceRollout(state: RolloutState, transition: RolloutTransition): RolloutState {
  if (state.phase === 'settled') return state;
  const { phase: _, ...times } = state;
  switch (transition.type) {
    case 'accepted':
      return state.phase === 'submitting'
        ? { ...times, phase: 'running', acceptedMs: transition.atMs }
        : state;
    case 'noticed':
      return state.phase === 'fetching' ? state : { ...times, phase: 'fetching', noticedMs: transition.atMs };
    case 'settled':
      return { ...times, phase: 'settled', settledMs: transition.atMs, outcome: transition.outcome };
  }
}
