import type { Clock } from '@art/async';
import { payloadDigest, type IntendedWork, type Item, type PastRollout, type RunLog } from '@art/journal';
import { ArtError } from '@art/protocol';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import type { AttemptPlace } from './attempt.ts';
import type { FailureCause } from './failure-policy.ts';
import { ItemAttempt, type AttemptOwner, type AttemptResult } from './item-attempt.ts';
import type { ItemRules } from './item-rules.ts';
import {
  advanceItem,
  isSettled,
  newMember,
  pastMember,
  type ItemState,
  type ItemTransition,
  type MemberState,
} from './item-state.ts';

/** What the items of a run work with. */
export interface OpenItemDeps<Input extends object> {
  rules: ItemRules;
  /** Session and overrides of an attempt. May throw what the caller's functions throw. */
  choose: (input: Input, place: AttemptPlace) => Omit<RolloutChoices, 'inputId'>;
  runLog: RunLog | undefined;
  clock: Clock;
  /** Of input ids that the caller does not choose. */
  inputIdPrefix: string;
  /** Whether a result can still be read when its session is gone. */
  resultsOutliveSessions: boolean;
  /** Queues an attempt, after a pause where one is asked for. */
  queue: (attempt: ItemAttempt, pauseMs: number) => void;
  /** No member is open any more. */
  onSettled: (item: OpenItem<Input>) => void;
  /**
   * A member that was begun is not open any more; called after `onSettled`.
   * @param last the attempt that decided; undefined where the item was settled without the member
   */
  onMemberSettled: (last: ItemAttempt | undefined) => void;
}

/** An item whose members are at work: carries out what the transitions of its state ask for. */
export class OpenItem<Input extends object> implements AttemptOwner {
  /** In the order in which they were granted. */
  readonly attempts: ItemAttempt[] = [];
  readonly openedMs: number;
  readonly #item: Item<Input>;
  readonly #deps: OpenItemDeps<Input>;
  /** Attempts of earlier processes whose documents are read again: before all are, it is not known what else is needed. */
  readonly #rereading = new Set<ItemAttempt>();
  /** Attempts of earlier processes that wait for them. */
  #waiting: ItemAttempt[] = [];
  #digest: string | undefined;
  #state: ItemState;

  constructor(item: Item<Input>, deps: OpenItemDeps<Input>) {
    this.#item = item;
    this.#deps = deps;
    this.openedMs = deps.clock.nowMs();
    const past = deps.runLog?.history.rolloutsOf(item.id) ?? [];
    this.#state = Array.from({ length: deps.rules.size }, (_, member) => this.#memberOf(member, past));
  }

  get id(): string {
    return this.#item.id;
  }

  get index(): number {
    return this.#item.index;
  }

  get input(): Input {
    return this.#item.input;
  }

  /** What the agent is told; empty where the caller's function failed. */
  get inputId(): string {
    const { name, nameError, index } = this.#item;
    if (nameError !== undefined) return '';
    return name ?? generatedInputId(this.#deps.inputIdPrefix, index);
  }

  get state(): ItemState {
    return this.#state;
  }

  get rewardOf(): CaptureReward | undefined {
    return this.#deps.rules.rewardOf;
  }

  /** Queues its first attempts. What an earlier process saw stored goes first: it may be all that the item needs. */
  open(): void {
    for (const attempt of this.#rereading) this.#deps.queue(attempt, 0);
    this.#queueGranted();
  }

  /** @throws what the caller's functions throw; ArtError `ART_DUPLICATE_ROLLOUT` where two members would share a session */
  choose(attempt: ItemAttempt): RolloutChoices & { inputId: string } {
    if (this.#item.nameError !== undefined) throw this.#item.nameError as Error;
    const { sessionId, overrides } = this.#deps.choose(this.input, attempt.place);
    return { inputId: this.inputId, sessionId: this.#ownSession(sessionId, attempt), overrides };
  }

  workOf({ place }: ItemAttempt): IntendedWork {
    this.#digest ??= payloadDigest(this.input);
    return { item: this.id, ...place, payloadDigest: this.#digest };
  }

  started(attempt: ItemAttempt, { timings }: Rollout): void {
    const { clock, rules } = this.#deps;
    if (rules.hedge === undefined || !attempt.isOpen) return;
    // One that an earlier process submitted is as slow as it is.
    const spentMs = Math.max(0, clock.epochMs() - timings.submittedAtMs);
    const onSlow = (): void => this.#advance({ type: 'slow', member: attempt.member });
    attempt.cancelHedge = clock.after(Math.max(0, rules.hedge.afterMs - spentMs), onSlow);
  }

  ended(attempt: ItemAttempt, { outcome, sessionId, isRecalled }: AttemptResult, mayBegin: boolean): void {
    attempt.cancelHedge?.();
    if (attempt.isUnneeded) return;
    this.#rereading.delete(attempt);
    this.#advance({
      type: 'ended',
      member: attempt.member,
      attempt: attempt.number,
      verdict: this.#deps.rules.judge(outcome),
      // What cannot be sent at all, or was cancelled, would meet the same end again.
      mayRetry: mayBegin && (isRecalled || (sessionId !== '' && outcome.kind !== 'cancelled')),
      isRecalled,
    });
  }

  isFirstMade(attempt: ItemAttempt): boolean {
    return !this.attempts.some(
      (other) => other.wasMade && other.member === attempt.member && other !== attempt,
    );
  }

  /** Settles it with what there is. */
  close(): void {
    this.#advance({ type: 'closed' });
  }

  /** Drops everything; it is never handed out. */
  abandon(): void {
    const before = this.#state;
    this.#state = advanceItem(before, { type: 'closed' }, this.#deps.rules);
    this.#dropNeedless();
    this.#tellSettledMembers(before);
  }

  #memberOf(member: number, pastOfItem: readonly PastRollout[]): MemberState {
    if (pastOfItem.length === 0) return newMember();
    const past = pastOfItem.filter((rollout) => (rollout.member ?? 0) === member);
    if (past.length === 0) return newMember();
    const failed: FailureCause[] = [];
    for (const [number, rollout] of past.entries()) {
      const isTakenUp = number === past.length - 1 || this.#mayBeTakenUp(rollout);
      const attempt = new ItemAttempt(this, member, number, isTakenUp ? rollout : undefined);
      this.attempts.push(attempt);
      if (isTakenUp) {
        if (isStored(rollout)) this.#rereading.add(attempt);
        else this.#waiting.push(attempt);
        continue;
      }
      failed.push(attempt.endBefore(rollout));
    }
    return pastMember(past.length, failed);
  }

  /** Whether a rollout that another attempt followed may have a result, or a session at work. */
  #mayBeTakenUp(rollout: PastRollout): boolean {
    return rollout.state.phase !== 'settled' || (this.#deps.resultsOutliveSessions && isStored(rollout));
  }

  /** @throws ArtError `ART_DUPLICATE_ROLLOUT` */
  #ownSession(sessionId: string | undefined, attempt: ItemAttempt): string | undefined {
    const other = sessionId && this.attempts.find((made) => made.sessionId === sessionId && made !== attempt);
    if (!other) return sessionId;
    // Who chooses by the payload alone names the same session again; another attempt must not share its key.
    if (other.member === attempt.member) return undefined;
    throw new ArtError({
      code: 'ART_DUPLICATE_ROLLOUT',
      message: `Expected option sessionId to give every rollout of a group a session of its own, got ${JSON.stringify(sessionId)} twice. Make it depend on the member, or leave it out.`,
    });
  }

  #advance(transition: ItemTransition): void {
    const before = this.#state;
    if (isSettled(before)) return;
    this.#state = advanceItem(before, transition, this.#deps.rules);
    this.#dropNeedless();
    this.#queueGranted();
    if (isSettled(this.#state)) this.#deps.onSettled(this);
    this.#tellSettledMembers(before);
  }

  #dropNeedless(): void {
    for (const attempt of this.attempts) {
      if (this.#state[attempt.member]?.phase === 'open') continue;
      attempt.cancelHedge?.();
      attempt.drop(new Error('its item no longer needs it'));
    }
  }

  #queueGranted(): void {
    if (this.#rereading.size > 0) return;
    for (const attempt of this.#waiting.splice(0)) this.#deps.queue(attempt, 0);
    for (const [member, state] of this.#state.entries()) {
      if (state.phase !== 'open') continue;
      const made = this.attempts.filter((attempt) => attempt.member === member);
      for (let number = made.length; number < state.granted; number += 1) {
        const attempt = new ItemAttempt(this, member, number, undefined);
        this.attempts.push(attempt);
        this.#deps.queue(attempt, this.#pauseBefore(number, made.at(-1)?.result));
      }
    }
  }

  #pauseBefore(number: number, previous: AttemptResult | undefined): number {
    if (previous === undefined || previous.isRecalled) return 0;
    return this.#deps.rules.retryDelayMs(number, previous.outcome);
  }

  #tellSettledMembers(before: ItemState): void {
    for (const [member, state] of this.#state.entries()) {
      if (before[member]?.phase !== 'open' || state.phase === 'open') continue;
      const made = this.attempts.filter((attempt) => attempt.member === member);
      const last = 'attempt' in state ? made[state.attempt] : undefined;
      if (made.some((attempt) => attempt.wasMade)) this.#deps.onMemberSettled(last);
    }
  }
}

/** Whether an earlier process saw a rollout end with a document of its agent. */
function isStored({ state }: PastRollout): boolean {
  return state.phase === 'settled' && (state.outcome === 'ok' || state.outcome === 'agent_error');
}
