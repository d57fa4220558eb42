import type { StoreOutcome } from './store-result.ts';

/**
 * Where a rollout is. `abandoned`: its process is being stopped and the handler did not finish in time; whatever it
 * still returns is dropped.
 */
export type RolloutState =
  | { kind: 'accepted' | 'running' | 'saving' | 'abandoned' }
  | { kind: 'settled'; stored: StoreOutcome | undefined };

export type RolloutEvent =
  | { kind: 'start' | 'finish' | 'abandon' }
  | { kind: 'settle'; stored: StoreOutcome | undefined };

/** The only way from one state to another. */
export function nextRolloutState(state: RolloutState, event: RolloutEvent): RolloutState {
  switch (event.kind) {
    case 'start':
      // A session may be ended between acceptance and the first step of the handler.
      if (state.kind === 'abandoned') return state;
      if (state.kind === 'accepted') return { kind: 'running' };
      break;
    case 'finish':
      if (state.kind === 'running') return { kind: 'saving' };
      break;
    case 'abandon':
      if (state.kind === 'accepted' || state.kind === 'running') return { kind: 'abandoned' };
      break;
    case 'settle':
      if (state.kind === 'saving') return { kind: 'settled', stored: event.stored };
      break;
  }
  throw new Error(
    `A rollout that is ${state.kind} cannot ${event.kind}. This is a defect in @art/server; please report it.`,
  );
}
