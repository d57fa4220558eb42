import type { BatchItem } from '../batch/batch-item.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { withMethods } from '../with-methods.ts';
import type { MemberAttempt } from './group.ts';

type AttemptState =
  | { phase: 'queued' }
  | { phase: 'running'; rollout: Rollout; cancelLateTimer: () => void }
  | { phase: 'settled'; item: BatchItem }
  /** The group needs it no longer. Undefined where it had not begun. */
  | { phase: 'stopped'; rollout: Rollout | undefined };

/** One session's worth of work for a member of a group, from the queue to its outcome. */
export class Attempt {
  readonly member: number;
  /** Its number among the member's attempts, from 0. */
  readonly number: number;
  #state: AttemptState = { phase: 'queued' };
  #index = 0;

  constructor(member: number, number: number) {
    this.member = member;
    this.number = number;
  }

  /** Whether it waits for a place, or for its outcome. */
  get isOpen(): boolean {
    return this.#state.phase === 'queued' || this.#state.phase === 'running';
  }

  /** @param startLateTimer returns what cancels the timer. */
  started(rollout: Rollout, startLateTimer: () => () => void): void {
    this.#index = rollout.index;
    if (this.#state.phase === 'stopped') {
      // It had left the queue when the group was settled.
      this.#state = { phase: 'stopped', rollout };
      cancelUnneeded(rollout);
      return;
    }
    this.#state = { phase: 'running', rollout, cancelLateTimer: startLateTimer() };
  }

  settled(item: BatchItem): void {
    if (!this.isOpen) return;
    this.#cancelLateTimer();
    this.#index = item.index;
    this.#state = { phase: 'settled', item };
  }

  /** Ends it, and the session that may work for it. */
  stop(): void {
    if (!this.isOpen) return;
    this.#cancelLateTimer();
    const rollout = this.#state.phase === 'running' ? this.#state.rollout : undefined;
    this.#state = { phase: 'stopped', rollout };
    if (rollout !== undefined) cancelUnneeded(rollout);
  }

  /** What a consumer is told; undefined where no session ever worked for it. */
  get record(): MemberAttempt | undefined {
    const index = this.#index;
    switch (this.#state.phase) {
      case 'queued':
        return undefined;
      case 'settled': {
        const { item } = this.#state;
        const { sessionId, resultKey, outcome, timings } = item;
        return withMethods(
          { index, sessionId, resultKey, outcome, timings },
          { trajectory: () => item.trajectory() },
        );
      }
      case 'running':
      case 'stopped': {
        const { rollout } = this.#state;
        if (rollout === undefined) return undefined;
        const { sessionId, resultKey } = rollout.request;
        return withMethods(
          { index, sessionId, resultKey, outcome: undefined, timings: rollout.timings },
          { trajectory: () => rollout.trajectory() },
        );
      }
    }
  }

  #cancelLateTimer(): void {
    if (this.#state.phase === 'running') this.#state.cancelLateTimer();
  }
}

function cancelUnneeded(rollout: Rollout): void {
  rollout.cancel(new Error('the group needs it no longer'));
}
