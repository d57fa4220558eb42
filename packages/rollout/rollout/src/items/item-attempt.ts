import type { PastRollout } from '@art/journal';
import type { RolloutOutcome } from '@art/protocol';
import { trajectoryOf } from '../gateway/trajectory-of.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { Attempt, AttemptPlace } from './attempt.ts';
import {
  advanceAttempt,
  isOpen,
  rolloutOf,
  wasMade,
  type AttemptState,
  type AttemptTransition,
} from './attempt-state.ts';
import { withMethods } from './with-methods.ts';

/** One attempt of a member of an item, from its place in the queue to its outcome. */
export class ItemAttempt {
  /** `id` names the item in the run, `index` is its position in the data. */
  readonly item: { readonly id: string; readonly index: number };
  readonly member: number;
  /** Among the attempts of the member, from 0. */
  readonly number: number;
  /** An earlier process saw a document of it stored, which is read again before anything else of its item is begun. */
  readonly isReread: boolean;
  #state: AttemptState;

  /** @param past what an earlier process left of it */
  constructor(item: ItemAttempt['item'], member: number, number: number, past?: PastRollout) {
    this.item = item;
    this.member = member;
    this.number = number;
    this.isReread = past !== undefined && isStored(past);
    this.#state = past === undefined || this.isReread ? { phase: 'queued', past } : { phase: 'held', past };
  }

  get state(): AttemptState {
    return this.#state;
  }

  get place(): AttemptPlace {
    return { index: this.item.index, member: this.member, attempt: this.number };
  }

  get isOpen(): boolean {
    return isOpen(this.#state);
  }

  get wasMade(): boolean {
    return wasMade(this.#state);
  }

  /** A resume called it off: another one is due, whatever the policy says. */
  get isRecalled(): boolean {
    return this.#state.phase === 'unrun' && this.#state.isRecalled;
  }

  /** Undefined until it is known; of one that is not needed any more it never is. */
  get outcome(): RolloutOutcome | undefined {
    return 'outcome' in this.#state ? this.#state.outcome : undefined;
  }

  get rollout(): Rollout | undefined {
    return rolloutOf(this.#state);
  }

  /** The session that worked for it, or does; empty where its payload could not be sent at all. */
  get sessionId(): string | undefined {
    return (this.rollout?.request ?? this.#facts)?.sessionId;
  }

  advance(transition: AttemptTransition): void {
    const { state, cancels } = advanceAttempt(this.#state, transition);
    this.#state = state;
    cancels?.cancel(new Error('its item no longer needs it'));
  }

  /** The attempt as a consumer sees it; undefined if no session ever worked for it. */
  toAttempt(): Attempt | undefined {
    const { rollout, outcome, number: attempt } = this;
    const known = rollout ? { ...rollout.request, timings: rollout.timings } : this.#facts;
    if (known === undefined) return undefined;
    const { inputId, sessionId, invocationId, resultKey, timings } = known;
    const { throttled = 0, resent = 0 } = rollout ?? {};
    return withMethods(
      { attempt, sessionId, invocationId, resultKey, outcome, timings, throttled, resent },
      { trajectory: () => trajectoryOf(rollout ?? { inputId, sessionId, outcome: outcome! }) },
    );
  }

  get #facts(): Extract<AttemptState, { phase: 'unrun' }>['facts'] | undefined {
    return this.#state.phase === 'unrun' ? this.#state.facts : undefined;
  }
}

/** True if an earlier process saw a rollout end with a document of its agent. */
export function isStored({ state }: PastRollout): boolean {
  return state.phase === 'settled' && (state.outcome === 'ok' || state.outcome === 'agent_error');
}
