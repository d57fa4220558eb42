import type { RolloutOutcome } from '@art/protocol';
import type { ReadResult } from './result-source.ts';

/** How a rollout begins: anew, or where an earlier process left it. Times are milliseconds since 1970. */
export type RolloutBeginning =
  | { kind: 'new' }
  /** It may have been sent: looked for, then sent again with the same ids. */
  | { kind: 'unsure'; submittedAtMs: number }
  /** The agent has accepted it: its result is waited for. */
  | { kind: 'accepted'; submittedAtMs: number; speaksRip: boolean }
  /** Its result is there. `hasSession`: it may still have to be stopped. */
  | { kind: 'ready'; submittedAtMs: number; hasSession: boolean; read: ReadResult };

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

/** When things happened to a rollout. Durations are monotonic, in milliseconds since its submission. */
export interface RolloutTimings {
  /** When the request was handed to the runtime, in milliseconds since 1970. */
  submittedAtMs: number;
  /** Until the agent had answered; waiting for a rate limit and starting the session are in it. */
  acceptedMs: number | undefined;
  /** Until the result was seen in the store. */
  noticedMs: number | undefined;
  /** Until the outcome was known. */
  settledMs: number | undefined;
  /** Until the session had been stopped. An item may be handed out before. */
  stoppedMs: number | undefined;
}

/** @param stoppedMs monotonic, as the times of the state */
export function rolloutTimings(
  state: RolloutState,
  submittedAtMs: number,
  stoppedMs: number | undefined,
): RolloutTimings {
  const since = (atMs: number | undefined): number | undefined =>
    atMs === undefined ? undefined : atMs - state.submittedMs;
  return {
    submittedAtMs,
    acceptedMs: since('acceptedMs' in state ? state.acceptedMs : undefined),
    noticedMs: since('noticedMs' in state ? state.noticedMs : undefined),
    settledMs: since('settledMs' in state ? state.settledMs : undefined),
    stoppedMs: since(stoppedMs),
  };
}
