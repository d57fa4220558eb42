import type { FinishedTrajectory } from './finished-trajectory.ts';
import type { FinishRequest } from './finish-request.ts';

/**
 * Where a trajectory stands. `dropped` stays known, so that an agent that goes on does not bring it back.
 */
export type TrajectoryState = SettledState | FinishingState | { kind: 'dropped' };

/** What a trajectory can be finished from; a finished one has its rows made anew. */
export type SettledState =
  | { kind: 'open'; turnsTaken: number }
  /** `traceCount`: how many traces were in the result; what came later is not part of it. */
  | { kind: 'finished'; request: FinishRequest | undefined; traceCount: number | undefined };

interface FinishingState {
  kind: 'finishing';
  before: SettledState;
  result: Promise<FinishedTrajectory>;
}

export type TrajectoryEvent =
  | { event: 'turn' }
  /** A turn that was counted came to nothing. */
  | { event: 'turn_failed' }
  | { event: 'finish'; result: Promise<FinishedTrajectory> }
  | { event: 'built'; request: FinishRequest; traceCount: number }
  | { event: 'failed' }
  | { event: 'drop' };

/** What an event makes of a state. Events that do not belong to a state leave it as it is. */
export function nextState(state: TrajectoryState, event: TrajectoryEvent): TrajectoryState {
  switch (event.event) {
    case 'turn':
      return state.kind === 'open' ? { kind: 'open', turnsTaken: state.turnsTaken + 1 } : state;
    case 'turn_failed':
      return state.kind === 'open' ? { kind: 'open', turnsTaken: Math.max(0, state.turnsTaken - 1) } : state;
    case 'finish':
      if (state.kind === 'dropped' || state.kind === 'finishing') return state;
      return { kind: 'finishing', before: state, result: event.result };
    case 'built':
      return state.kind === 'finishing'
        ? { kind: 'finished', request: event.request, traceCount: event.traceCount }
        : state;
    case 'failed':
      // What failed was the store; it can be asked again.
      return state.kind === 'finishing' ? state.before : state;
    case 'drop':
      return { kind: 'dropped' };
  }
}
