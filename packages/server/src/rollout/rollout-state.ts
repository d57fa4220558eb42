import type { StoreOutcome } from '../saving/store-result.ts';

/**
 * Where a rollout is. From `saving` on it is decided what its document says; whatever its handler still does is dropped.
 * `unsaved`: nothing could be stored so far.
 */
export type RolloutState =
  | { kind: 'accepted' | 'running' | 'saving' | 'unsaved' }
  | { kind: 'settled'; stored: StoreOutcome | undefined };

export type RolloutEvent =
  | { kind: 'start' | 'decide' | 'hold' }
  | { kind: 'settle'; stored: StoreOutcome | undefined };

/** The only way from one state to another. */
export function nextRolloutState(state: RolloutState, event: RolloutEvent): RolloutState {
  switch (event.kind) {
    case 'start':
      if (state.kind === 'accepted') return { kind: 'running' };
      break;
    case 'decide':
      // A session may be ended between acceptance and the first step of the handler.
      if (state.kind === 'accepted' || state.kind === 'running') return { kind: 'saving' };
      break;
    case 'hold':
      if (state.kind === 'saving') return { kind: 'unsaved' };
      break;
    case 'settle':
      if (state.kind === 'saving' || state.kind === 'unsaved')
        return { kind: 'settled', stored: event.stored };
      break;
  }
  throw new Error(
    `A rollout that is ${state.kind} cannot ${event.kind}. This is a defect in @art/server; please report it.`,
  );
}

/** Whether it is still open what the rollout's document says. */
export function isUndecided(state: RolloutState): boolean {
  return state.kind === 'accepted' || state.kind === 'running';
}
