import type { PastRollout } from '@art/journal';
import type { RolloutOutcome } from '@art/protocol';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { Attempt } from './attempt.ts';

/** The known facts of an attempt without a rollout of this process. */
export type UnrunAttempt = Pick<Attempt, 'sessionId' | 'invocationId' | 'resultKey' | 'timings'> & {
  inputId: string;
};

/** Where an attempt of a member is. */
export type AttemptState =
  /** It waits for the documents of other attempts of its item, which may be all that the item needs. */
  | { phase: 'held'; past: PastRollout }
  /** It waits for its turn. `past`: what an earlier process left of it. */
  | { phase: 'queued'; past: PastRollout | undefined }
  /** This process has begun it, and it has no rollout yet. */
  | { phase: 'opening' }
  | { phase: 'running'; rollout: Rollout }
  | { phase: 'ended'; rollout: Rollout; outcome: RolloutOutcome }
  /**
   * It ended without a rollout of this process: it could not be sent, or an earlier process saw it end. `wasMade`: this
   * process has begun it. `isRecalled`: a resume called it off, so another one is due, whatever the policy says.
   */
  | {
      phase: 'unrun';
      facts: UnrunAttempt;
      outcome: RolloutOutcome;
      wasMade: boolean;
      isRecalled: boolean;
    }
  /** Its item does not need it any more. Its rollout, where it has one, is cancelled. */
  | { phase: 'dropped'; rollout: Rollout | undefined; wasMade: boolean };

export type AttemptTransition =
  | { type: 'queued' }
  | { type: 'begun' }
  | { type: 'started'; rollout: Rollout }
  | { type: 'settled'; outcome: RolloutOutcome }
  | { type: 'unrun'; facts: UnrunAttempt; outcome: RolloutOutcome; isRecalled: boolean }
  | { type: 'dropped' };

/** The new state of an attempt, and the rollout that is to be cancelled now, where there is one. */
export interface AttemptStep {
  state: AttemptState;
  cancels?: Rollout | undefined;
}

/** The only way an attempt changes. What arrives for one that has ended, or was dropped, changes nothing. */
export function advanceAttempt(state: AttemptState, transition: AttemptTransition): AttemptStep {
  switch (transition.type) {
    case 'queued':
      return { state: state.phase === 'held' ? { phase: 'queued', past: state.past } : state };
    case 'begun':
      return { state: state.phase === 'queued' ? { phase: 'opening' } : state };
    case 'started': {
      const { rollout } = transition;
      if (state.phase === 'opening') return { state: { phase: 'running', rollout } };
      // It was dropped while an earlier process's part of it was looked for.
      return state.phase === 'dropped' ? { state: { ...state, rollout }, cancels: rollout } : { state };
    }
    case 'settled': {
      const { outcome } = transition;
      return { state: state.phase === 'running' ? { ...state, phase: 'ended', outcome } : state };
    }
    case 'unrun': {
      const { facts, outcome, isRecalled } = transition;
      const wasMade = state.phase === 'opening';
      const unrun = { phase: 'unrun' as const, facts, outcome, wasMade, isRecalled };
      return { state: wasMade || state.phase === 'queued' ? unrun : state };
    }
    case 'dropped': {
      if (!isOpen(state)) return { state };
      const rollout = rolloutOf(state);
      return { state: { phase: 'dropped', rollout, wasMade: wasMade(state) }, cancels: rollout };
    }
  }
}

/** True while it waits for its turn, or for its outcome. */
export function isOpen({ phase }: AttemptState): boolean {
  return phase === 'held' || phase === 'queued' || phase === 'opening' || phase === 'running';
}

/** True if this process has begun it. */
export function wasMade(state: AttemptState): boolean {
  return 'wasMade' in state ? state.wasMade : state.phase !== 'held' && state.phase !== 'queued';
}

/** Undefined before it has one, and where this process began none. */
export function rolloutOf(state: AttemptState): Rollout | undefined {
  return 'rollout' in state ? state.rollout : undefined;
}
