import { ArtError } from '@art/protocol';
import type { BatchItem } from '../batch/batch-item.ts';
import type { AttemptRecord } from '../batch/batch-record.ts';
import { defaultRetryDelayMs } from '../batch/retry-policy.ts';
import { isOutage } from '../lifecycle/is-outage.ts';
import { Attempt } from './attempt.ts';
import { buildGroup } from './build-group.ts';
import type { GroupRules } from './group-options.ts';
import { hasDocument } from './group-record.ts';
import {
  advanceGroup,
  isSettled,
  openGroupState,
  type GroupState,
  type GroupTransition,
} from './group-state.ts';
import type { Group } from './group.ts';
import { judgeOutcome } from './judge-outcome.ts';

/** What a group needs of the run that it is part of. */
export interface OpenGroupParts<Input extends object> {
  rules: GroupRules;
  /** Makes the input id; may throw what the caller's function throws. */
  inputId: (input: Input, index: number) => string;
  nowMs: () => number;
  /** Lines an attempt up behind those that wait, after a pause where one is asked for. */
  launch: (group: OpenGroup<Input>, attempt: Attempt, pauseMs: number) => void;
  onSettled: (group: OpenGroup<Input>) => void;
  /** @default none */
  record: AttemptRecord | undefined;
}

/** A group whose members are at work: carries out what the transitions of its state ask for. */
export class OpenGroup<Input extends object> {
  readonly input: Input;
  readonly index: number;
  readonly #parts: OpenGroupParts<Input>;
  readonly #attempts: Attempt[][];
  readonly #sessionIds = new Set<string>();
  readonly #openedMs: number;
  /** Attempts whose documents are being read again: until all are, it is not known what else is needed. */
  readonly #rereading = new Set<Attempt>();
  #inputId: string | undefined;
  #state: GroupState;

  constructor(input: Input, index: number, parts: OpenGroupParts<Input>) {
    this.input = input;
    this.index = index;
    this.#parts = parts;
    this.#openedMs = parts.nowMs();
    this.#state = openGroupState(parts.rules.size);
    this.#attempts = this.#state.map(() => []);
    this.#launchGranted();
  }

  /** Asked of the caller once; @throws what the caller's function throws, every time. */
  get inputId(): string {
    this.#inputId ??= this.#parts.inputId(this.input, this.index);
    return this.#inputId;
  }

  /** @throws ArtError `ART_DUPLICATE_ROLLOUT` where an earlier attempt had the same session: its result would be read again. */
  claimSession(sessionId: string): string {
    if (this.#sessionIds.has(sessionId)) {
      throw new ArtError({
        code: 'ART_DUPLICATE_ROLLOUT',
        message: `Expected option sessionId to give every attempt of a group a session of its own, got ${JSON.stringify(sessionId)} twice. Make it depend on member and attempt, or leave it out.`,
      });
    }
    this.#sessionIds.add(sessionId);
    return sessionId;
  }

  settled(attempt: Attempt, item: BatchItem): void {
    if (!attempt.isOpen) return;
    attempt.settled(item);
    this.#rereading.delete(attempt);
    this.#advance({
      type: 'judged',
      member: attempt.member,
      attempt: attempt.number,
      judgement: judgeOutcome(item.outcome, this.#parts.rules.rewardRule),
      // What cannot be sent at all, or was called off, would meet the same end again.
      mayRetry: item.sessionId !== '' && item.outcome.kind !== 'cancelled',
    });
  }

  late(attempt: Attempt): void {
    this.#advance({ type: 'late', member: attempt.member });
  }

  /** Settles it with what there is. */
  close(): void {
    this.#advance({ type: 'closed' });
  }

  /** Lets go of everything without settling. */
  abandon(): void {
    for (const attempt of this.#attempts.flat()) attempt.stop();
  }

  toGroup(): Group<Input> {
    const { record } = this.#parts;
    return buildGroup({
      index: this.index,
      inputId: this.#settledInputId(),
      input: this.input,
      state: this.#state,
      attempts: this.#attempts.map((attempts) => attempts.map((attempt) => attempt.record)),
      rules: this.#parts.rules,
      elapsedMs: this.#parts.nowMs() - this.#openedMs,
      acknowledge: () => record?.acknowledge(this.index) ?? Promise.resolve(),
    });
  }

  /** Nobody has asked for it yet where an earlier process started every member; '' where the caller's function throws. */
  #settledInputId(): string {
    try {
      return this.inputId;
    } catch {
      return '';
    }
  }

  #advance(transition: GroupTransition): void {
    if (isSettled(this.#state)) return;
    this.#state = advanceGroup(this.#state, transition, this.#parts.rules);
    for (const [member, state] of this.#state.entries()) {
      if (state.phase !== 'open') for (const attempt of this.#attempts[member] ?? []) attempt.stop();
    }
    this.#launchGranted();
    if (isSettled(this.#state)) this.#parts.onSettled(this);
  }

  #launchGranted(): void {
    // What an earlier process saw stored goes first: it may be all that the group needs.
    this.#launch(
      (member, number) => hasDocument(this.#parts.record, { index: this.index, member, attempt: number }),
      (attempt) => this.#rereading.add(attempt),
    );
    if (this.#rereading.size === 0) this.#launch(() => true);
  }

  #launch(isDue: (member: number, number: number) => boolean, onLaunch?: (attempt: Attempt) => void): void {
    for (const [member, attempts] of this.#attempts.entries()) {
      const state = this.#state[member];
      const granted = state?.phase === 'open' ? state.granted : 0;
      for (let number = attempts.length; number < granted && isDue(member, number); number += 1) {
        const attempt = new Attempt(member, number);
        attempts.push(attempt);
        onLaunch?.(attempt);
        this.#parts.launch(this, attempt, pauseBefore(attempt, attempts[number - 1]));
      }
    }
  }
}

// A group waits for its retries, so they begin at once; but not into an outage, which would use them up.
function pauseBefore(attempt: Attempt, previous: Attempt | undefined): number {
  const outcome = previous?.record?.outcome;
  return outcome !== undefined && isOutage(outcome) ? defaultRetryDelayMs(attempt.number) : 0;
}
