import { payloadDigest, type IntendedWork, type Item, type PastRollout } from '@art/journal';
import { ArtError } from '@art/ground';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import type { FailureCause } from './failure-policy.ts';
import { ItemAttempt, type AttemptDeps, type AttemptOwner } from './item-attempt.ts';
import type { ItemRules } from './item-rules.ts';
import {
  advanceItem,
  newMember,
  pastMember,
  type ItemState,
  type ItemTransition,
  type MemberState,
} from './item-state.ts';

/** The dependencies of items. */
export interface ItemDeps<Input extends object> extends Pick<AttemptDeps, 'runLog' | 'clock' | 'source'> {
  rules: ItemRules<Input>;
  /** The prefix of input ids that the caller does not choose. */
  inputIdPrefix: string;
}

/** Where items are at work: it makes their attempts, and takes them when they are settled. */
export interface ItemOwner<Input extends object> {
  readonly deps: ItemDeps<Input>;
  /** Makes an attempt, after a pause where one is asked for. */
  queue(attempt: ItemAttempt, pauseMs: number): void;
  /** No member is open any more. */
  settled(item: OpenItem<Input>): void;
  /**
   * A member that was begun is not open any more; called after `settled`.
   * @param last the attempt that decided; undefined where the item was settled without the member
   */
  memberSettled(last: ItemAttempt | undefined): void;
}

const none: readonly ItemAttempt[] = [];

/** An item whose members are at work: carries out what the transitions of its state ask for. */
export class OpenItem<Input extends object> implements AttemptOwner {
  readonly id: string;
  readonly index: number;
  readonly input: Input;
  /** The input id for the agent; empty if the caller's function failed. */
  readonly inputId: string;
  readonly openedMs: number;
  /** In the order in which they were granted. A list that grows by `push` would take 150 bytes more for each rollout. */
  attempts: readonly ItemAttempt[] = none;
  state: ItemState;
  readonly #nameError: unknown;
  readonly #owner: ItemOwner<Input>;
  /** Attempts of earlier processes whose documents are read again: before all are, it is not known what else is needed. */
  #rereading: readonly ItemAttempt[] = none;
  /** Attempts of earlier processes that wait for them. */
  #waiting: readonly ItemAttempt[] = none;
  #digest: string | undefined;

  constructor({ id, index, input, name, nameError }: Item<Input>, owner: ItemOwner<Input>) {
    this.id = id;
    this.index = index;
    this.input = input;
    this.#nameError = nameError;
    this.inputId = nameError === undefined ? (name ?? generatedInputId(owner.deps.inputIdPrefix, index)) : '';
    this.#owner = owner;
    this.openedMs = owner.deps.clock.nowMs();
    const past = owner.deps.runLog?.history.rolloutsOf(id) ?? [];
    this.state = Array.from({ length: owner.deps.rules.size }, (_, member) =>
      past.length === 0 ? newMember : this.#pastMember(member, past),
    );
  }

  get rewardOf(): CaptureReward | undefined {
    return this.#owner.deps.rules.rewardOf;
  }

  /** Queues its first attempts. What an earlier process saw stored goes first: it may be all that the item needs. */
  open(): void {
    for (const attempt of this.#rereading) this.#owner.queue(attempt, 0);
    this.#queueGranted();
  }

  /** @throws what the caller's functions throw; ArtError `ART_DUPLICATE_ROLLOUT` where two members would share a session */
  choose(attempt: ItemAttempt): RolloutChoices & { inputId: string } {
    if (this.#nameError !== undefined) throw this.#nameError as Error;
    const { inputId } = this;
    const { sessionId, overrides } = this.#owner.deps.rules.choose(this.input, attempt.place);
    const other = sessionId && this.attempts.find((made) => made.sessionId === sessionId && made !== attempt);
    if (!other) return { inputId, sessionId, overrides };
    // Who chooses by the payload alone names the same session again; another attempt must not share its key.
    if (other.member === attempt.member) return { inputId, overrides };
    throw new ArtError({
      code: 'ART_DUPLICATE_ROLLOUT',
      message: `Expected option sessionId to give every rollout of a group its own session, got ${JSON.stringify(sessionId)} twice. Make it depend on the member, or leave it out.`,
    });
  }

  workOf({ place }: ItemAttempt): IntendedWork {
    this.#digest ??= payloadDigest(this.input);
    return { item: this.id, ...place, payloadDigest: this.#digest };
  }

  started(attempt: ItemAttempt, { timings }: Rollout): void {
    const { clock, rules } = this.#owner.deps;
    if (rules.hedge === undefined || !attempt.isOpen) return;
    // One that an earlier process submitted is as slow as it is.
    const spentMs = Math.max(0, clock.epochMs() - timings.submittedAtMs);
    const onSlow = (): void => this.#advance({ type: 'slow', member: attempt.member });
    attempt.cancelHedge = clock.after(Math.max(0, rules.hedge.afterMs - spentMs), onSlow);
  }

  ended(attempt: ItemAttempt, mayBegin: boolean): void {
    attempt.cancelHedge?.();
    const { outcome, isRecalled } = attempt;
    if (outcome === undefined) return;
    if (this.#rereading !== none) this.#rereading = this.#rereading.filter((other) => other !== attempt);
    this.#advance({
      type: 'ended',
      member: attempt.member,
      attempt: attempt.number,
      verdict: this.#owner.deps.rules.judge(outcome),
      // What cannot be sent at all, or was cancelled, would meet the same end again.
      mayRetry: mayBegin && (isRecalled || (attempt.sessionId !== '' && outcome.kind !== 'cancelled')),
      isRecalled,
    });
  }

  isFirstMade(attempt: ItemAttempt): boolean {
    const { member } = attempt;
    return !this.attempts.some((other) => other.wasMade && other.member === member && other !== attempt);
  }

  /** Settles it with what there is. @param handsOut otherwise everything is dropped */
  close(handsOut: boolean): void {
    this.#advance({ type: 'closed' }, handsOut);
  }

  #pastMember(member: number, pastOfItem: readonly PastRollout[]): MemberState {
    const past = pastOfItem.filter((rollout) => (rollout.member ?? 0) === member);
    if (past.length === 0) return newMember;
    const failed: FailureCause[] = [];
    for (const [number, rollout] of past.entries()) {
      // One that another attempt followed is over, unless it may have a result, or a session at work.
      const isTakenUp =
        number === past.length - 1 ||
        rollout.state.phase !== 'settled' ||
        (this.#owner.deps.source.outlivesSessions && isStored(rollout));
      const attempt = new ItemAttempt(this, member, number, isTakenUp ? rollout : undefined);
      this.attempts = [...this.attempts, attempt];
      if (!isTakenUp) failed.push(attempt.endBefore(rollout));
      else if (isStored(rollout)) this.#rereading = [...this.#rereading, attempt];
      else this.#waiting = [...this.#waiting, attempt];
    }
    return pastMember(past.length, failed);
  }

  #advance(transition: ItemTransition, handsOut = true): void {
    const before = this.state;
    this.state = advanceItem(before, transition, this.#owner.deps.rules);
    if (this.state === before) return;
    const isDecided = (member: number): boolean => this.state[member]!.phase !== 'open';
    for (const attempt of this.attempts) if (isDecided(attempt.member)) attempt.drop();
    this.#queueGranted();
    if (handsOut && this.state.every((_, member) => isDecided(member))) this.#owner.settled(this);
    for (const [member, state] of this.state.entries()) {
      if (before[member]?.phase !== 'open' || state.phase === 'open') continue;
      const made = this.attempts.filter((attempt) => attempt.member === member);
      const last = 'attempt' in state ? made[state.attempt] : undefined;
      if (made.some((attempt) => attempt.wasMade)) this.#owner.memberSettled(last);
    }
  }

  #queueGranted(): void {
    if (this.#rereading.length > 0) return;
    const waiting = this.#waiting;
    this.#waiting = none;
    for (const attempt of waiting) this.#owner.queue(attempt, 0);
    for (const [member, state] of this.state.entries()) {
      if (state.phase !== 'open') continue;
      const made = this.attempts.filter((attempt) => attempt.member === member);
      for (let number = made.length; number < state.granted; number += 1) {
        const attempt = new ItemAttempt(this, member, number, undefined);
        this.attempts = [...this.attempts, attempt];
        const { outcome, isRecalled = false } = made.at(-1) ?? {};
        const isRetry = outcome !== undefined && !isRecalled;
        this.#owner.queue(attempt, isRetry ? this.#owner.deps.rules.retryDelayMs(number, outcome) : 0);
      }
    }
  }
}

/** True if an earlier process saw a rollout end with a document of its agent. */
function isStored({ state }: PastRollout): boolean {
  return state.phase === 'settled' && (state.outcome === 'ok' || state.outcome === 'agent_error');
}
