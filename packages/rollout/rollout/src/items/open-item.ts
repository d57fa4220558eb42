import { payloadDigest, type IntendedWork, type Item, type PastRollout, type RunLog } from '@art/journal';
import { ArtError, type Clock } from '@art/ground';
import type { RolloutOutcome } from '@art/protocol';
import type { ResultSource } from '../lifecycle/result-source.ts';
import { recordedError } from '../recording/adopt-rollout.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import type { FailureCause } from './failure-policy.ts';
import { isStored, ItemAttempt } from './item-attempt.ts';
import type { ItemRules } from './item-rules.ts';
import {
  advanceItem,
  newMember,
  pastMember,
  type ItemState,
  type ItemTransition,
  type MemberState,
} from './item-state.ts';
import { pastEnd } from './past-end.ts';

/** The dependencies of items. */
export interface ItemDeps<Input extends object> {
  rules: ItemRules<Input>;
  /** The run in its journal, where it has one. */
  runLog: RunLog | undefined;
  clock: Clock;
  source: ResultSource;
  /** The prefix of input ids that the caller does not choose. */
  inputIdPrefix: string;
}

/** A thing to do after an item has changed. */
export type ItemOrder =
  | { do: 'make'; attempt: ItemAttempt; pauseMs: number }
  /** No member is open any more. */
  | { do: 'hand_out' }
  /** A member that was begun is not open any more. `last` decided; undefined where the item was settled without the member. */
  | { do: 'count'; last: ItemAttempt | undefined };

/** An item whose members are at work. Each of its changes says what is to be done next, in this order. */
export class OpenItem<Input extends object> {
  readonly id: string;
  readonly index: number;
  readonly input: Input;
  /** The input id for the agent; empty if the caller's function failed. */
  readonly inputId: string;
  readonly openedMs: number;
  /** In the order in which they were granted. A list that grows by `push` would take 150 bytes more for each rollout. */
  attempts: readonly ItemAttempt[] = [];
  state: ItemState;
  readonly #rules: ItemRules<Input>;
  readonly #nameError: unknown;
  #digest: string | undefined;

  constructor(
    { id, index, input, name, nameError }: Item<Input>,
    { rules, runLog, clock, source, inputIdPrefix }: ItemDeps<Input>,
  ) {
    this.id = id;
    this.index = index;
    this.input = input;
    this.#rules = rules;
    this.#nameError = nameError;
    this.inputId = nameError === undefined ? (name ?? generatedInputId(inputIdPrefix, index)) : '';
    this.openedMs = clock.nowMs();
    const past = runLog?.history.rolloutsOf(id) ?? [];
    this.state = Array.from({ length: rules.size }, (_, member) =>
      past.length === 0 ? newMember : this.#pastMember(member, past, source),
    );
  }

  get rewardOf(): ItemRules['rewardOf'] {
    return this.#rules.rewardOf;
  }

  /** Begins it. What an earlier process saw stored goes first: it may be all that the item needs. */
  open(): ItemOrder[] {
    const rereads = this.attempts.filter((attempt) => attempt.isReread);
    return [...rereads.map((attempt) => makeNow(attempt)), ...this.#grant()];
  }

  /** @throws what the caller's functions throw; ArtError `ART_DUPLICATE_ROLLOUT` where two members would share a session */
  choose(attempt: ItemAttempt): RolloutChoices & { inputId: string } {
    if (this.#nameError !== undefined) throw this.#nameError as Error;
    const { inputId } = this;
    const { sessionId, overrides } = this.#rules.choose(this.input, attempt.place);
    const other = sessionId && this.attempts.find((made) => made.sessionId === sessionId && made !== attempt);
    if (!other) return { inputId, sessionId, overrides };
    // Who chooses by the payload alone names the same session again; another attempt must not share its key.
    if (other.member === attempt.member) return { inputId, overrides };
    throw new ArtError({
      code: 'ART_DUPLICATE_ROLLOUT',
      message: `Expected option sessionId to give every rollout of a group its own session, got ${JSON.stringify(sessionId)} twice. Make it depend on the member, or leave it out.`,
    });
  }

  /** The journal entry of an attempt before it is sent. */
  workOf({ place }: ItemAttempt): IntendedWork {
    this.#digest ??= payloadDigest(this.input);
    return { item: this.id, ...place, payloadDigest: this.#digest };
  }

  /** True if this process made no other attempt of the same member. */
  isFirstMade(attempt: ItemAttempt): boolean {
    const { member } = attempt;
    return !this.attempts.some((other) => other.wasMade && other.member === member && other !== attempt);
  }

  /** An attempt has been running for longer than `hedge` allows. */
  slow({ member }: ItemAttempt): ItemOrder[] {
    return this.#advance({ type: 'slow', member });
  }

  /** An attempt has ended. @param mayBegin whether further attempts can be begun */
  ended({ member, number, outcome, sessionId, isRecalled }: ItemAttempt, mayBegin: boolean): ItemOrder[] {
    if (outcome === undefined) return [];
    return this.#advance({
      type: 'ended',
      member,
      attempt: number,
      verdict: this.#rules.judge(outcome),
      // What cannot be sent at all, or was cancelled, would meet the same end again.
      mayRetry: mayBegin && (isRecalled || (sessionId !== '' && outcome.kind !== 'cancelled')),
      isRecalled,
    });
  }

  /** Settles it with what there is. */
  close(): ItemOrder[] {
    return this.#advance({ type: 'closed' });
  }

  #pastMember(
    member: number,
    pastOfItem: readonly PastRollout[],
    { outlivesSessions }: ResultSource,
  ): MemberState {
    const past = pastOfItem.filter((rollout) => (rollout.member ?? 0) === member);
    if (past.length === 0) return newMember;
    const failed: FailureCause[] = [];
    for (const [number, rollout] of past.entries()) {
      // One that another attempt followed is over, unless it may have a result, or a session at work.
      const isTakenUp =
        number === past.length - 1 ||
        rollout.state.phase !== 'settled' ||
        (outlivesSessions && isStored(rollout));
      const attempt = new ItemAttempt(this, member, number, isTakenUp ? rollout : undefined);
      this.attempts = [...this.attempts, attempt];
      if (!isTakenUp) failed.push(endBefore(attempt, rollout));
    }
    return pastMember(past.length, failed);
  }

  #advance(transition: ItemTransition): ItemOrder[] {
    const before = this.state;
    this.state = advanceItem(before, transition, this.#rules);
    // Another attempt may have waited for the one that has ended.
    if (this.state === before) return this.#grant();
    const isDecided = (member: number): boolean => this.state[member]!.phase !== 'open';
    for (const attempt of this.attempts) if (isDecided(attempt.member)) attempt.advance({ type: 'dropped' });
    const orders = this.#grant();
    if (this.state.every((_, member) => isDecided(member))) orders.push({ do: 'hand_out' });
    for (const [member, state] of this.state.entries()) {
      if (before[member]?.phase !== 'open' || state.phase === 'open') continue;
      const made = this.attempts.filter((attempt) => attempt.member === member);
      const last = 'attempt' in state ? made[state.attempt] : undefined;
      if (made.some((attempt) => attempt.wasMade)) orders.push({ do: 'count', last });
    }
    return orders;
  }

  /** Before all documents of earlier processes are read, it is not known what else is needed. */
  #grant(): ItemOrder[] {
    if (this.attempts.some(({ isReread, isOpen }) => isReread && isOpen)) return [];
    const orders: ItemOrder[] = [];
    for (const attempt of this.attempts) {
      if (attempt.state.phase !== 'held') continue;
      attempt.advance({ type: 'queued' });
      orders.push(makeNow(attempt));
    }
    for (const [member, state] of this.state.entries()) {
      if (state.phase !== 'open') continue;
      const made = this.attempts.filter((attempt) => attempt.member === member);
      for (let number = made.length; number < state.granted; number += 1) {
        const attempt = new ItemAttempt(this, member, number);
        this.attempts = [...this.attempts, attempt];
        orders.push({ do: 'make', attempt, pauseMs: this.#pauseBefore(number, made.at(-1)) });
      }
    }
    return orders;
  }

  #pauseBefore(number: number, last: ItemAttempt | undefined): number {
    const isRetry = last?.outcome !== undefined && !last.isRecalled;
    return isRetry ? this.#rules.retryDelayMs(number, last.outcome) : 0;
  }
}

function makeNow(attempt: ItemAttempt): ItemOrder {
  return { do: 'make', attempt, pauseMs: 0 };
}

/** An earlier process saw the attempt end, and made another one. @returns why it failed */
function endBefore(attempt: ItemAttempt, past: PastRollout): FailureCause {
  const { state, submittedAtMs } = past;
  const kind = state.phase === 'settled' && state.outcome !== 'ok' ? state.outcome : 'cancelled';
  const outcome = { kind, error: recordedError(past) } as RolloutOutcome;
  attempt.advance(pastEnd(past, outcome, submittedAtMs));
  return kind;
}
