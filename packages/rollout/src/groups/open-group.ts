import type { Clock } from '@art/async';
import { ArtError, RuntimeError, type RolloutOutcome } from '@art/protocol';
import type { RunSession } from '@art/journal';
import { defaultRetryDelayMs } from '../batch/retry-policy.ts';
import { Attempt, type AttemptEnd } from '../pool/attempt.ts';
import { buildGroup } from './build-group.ts';
import type { GroupRules } from './group-options.ts';
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
  clock: Clock;
  /** Lines an attempt up behind those that wait, after a pause where one is asked for. */
  launch: (attempt: Attempt<OpenGroup<Input>>, pauseMs: number) => void;
  onSettled: (group: OpenGroup<Input>) => void;
  /** The run in its journal, where it has one. */
  session: RunSession | undefined;
}

/** A group whose members are at work: carries out what the transitions of its state ask for. */
export class OpenGroup<Input extends object> {
  readonly input: Input;
  readonly index: number;
  readonly #parts: OpenGroupParts<Input>;
  readonly #attempts: Attempt<OpenGroup<Input>>[][];
  /** What cancels the timers of attempts that may become late. */
  readonly #lateTimers = new Map<Attempt, () => void>();
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
    this.#openedMs = parts.clock.nowMs();
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

  /** @param submittedAtMs of one that an earlier process submitted, too: it is as late as it is */
  started(attempt: Attempt, submittedAtMs: number): void {
    const { clock, rules } = this.#parts;
    const afterMs = rules.policy.late?.afterMs;
    if (afterMs === undefined || !attempt.isOpen) return;
    const spentMs = Math.max(0, clock.epochMs() - submittedAtMs);
    const onLate = (): void => this.#advance({ type: 'late', member: memberOf(attempt) });
    this.#lateTimers.set(attempt, clock.after(Math.max(0, afterMs - spentMs), onLate));
  }

  settled(attempt: Attempt, { outcome, sessionId }: AttemptEnd): void {
    this.#cancelLateTimer(attempt);
    if (attempt.state.phase === 'unneeded') return;
    this.#rereading.delete(attempt);
    this.#advance({
      type: 'judged',
      member: memberOf(attempt),
      attempt: attempt.place.attempt,
      judgement: judgeOutcome(outcome, this.#parts.rules.rewardRule),
      // What cannot be sent at all, or was called off, would meet the same end again.
      mayRetry: sessionId !== '' && outcome.kind !== 'cancelled',
    });
  }

  /** Settles it with what there is. */
  close(): void {
    this.#advance({ type: 'closed' });
  }

  /** Lets go of everything without settling. */
  abandon(): void {
    for (const attempt of this.#attempts.flat()) this.#drop(attempt);
  }

  toGroup(): Group<Input> {
    const { session } = this.#parts;
    return buildGroup({
      index: this.index,
      inputId: this.#settledInputId(),
      input: this.input,
      state: this.#state,
      attempts: this.#attempts,
      rules: this.#parts.rules,
      elapsedMs: this.#parts.clock.nowMs() - this.#openedMs,
      acknowledge: () => session?.acknowledgements.acknowledge(this.index) ?? Promise.resolve(),
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
      if (state.phase !== 'open') for (const attempt of this.#attempts[member] ?? []) this.#drop(attempt);
    }
    this.#launchGranted();
    if (isSettled(this.#state)) this.#parts.onSettled(this);
  }

  #launchGranted(): void {
    // What an earlier process saw stored goes first: it may be all that the group needs.
    this.#launch(
      (member, number) => this.#wasStored(member, number),
      (attempt) => this.#rereading.add(attempt),
    );
    if (this.#rereading.size === 0) this.#launch(() => true);
  }

  #launch(isDue: (member: number, number: number) => boolean, onLaunch?: (attempt: Attempt) => void): void {
    for (const [member, attempts] of this.#attempts.entries()) {
      const state = this.#state[member];
      const granted = state?.phase === 'open' ? state.granted : 0;
      for (let number = attempts.length; number < granted && isDue(member, number); number += 1) {
        const place = { index: this.index, member, attempt: number };
        const past = this.#parts.session?.pastOf(place);
        const attempt = new Attempt<OpenGroup<Input>>({ place, payload: this.input, plan: this, past });
        attempts.push(attempt);
        onLaunch?.(attempt);
        this.#parts.launch(attempt, pauseBefore(attempt, attempts[number - 1]));
      }
    }
  }

  /** Whether an earlier process saw an attempt end with a document. */
  #wasStored(member: number, attempt: number): boolean {
    const state = this.#parts.session?.pastOf({ index: this.index, member, attempt }).at(-1)?.state;
    return state?.phase === 'settled' && (state.outcome === 'ok' || state.outcome === 'agent_error');
  }

  #drop(attempt: Attempt): void {
    this.#cancelLateTimer(attempt);
    attempt.drop(new Error('the group needs it no longer'));
  }

  #cancelLateTimer(attempt: Attempt): void {
    this.#lateTimers.get(attempt)?.();
    this.#lateTimers.delete(attempt);
  }
}

function memberOf({ place }: Attempt): number {
  return place.member ?? 0;
}

// A group waits for its retries, so they begin at once; but not into an outage, which would use them up.
function pauseBefore({ place }: Attempt, previous: Attempt | undefined): number {
  const outcome = previous?.state.phase === 'ended' ? previous.state.end.outcome : undefined;
  return outcome !== undefined && isOutage(outcome) ? defaultRetryDelayMs(place.attempt) : 0;
}

/**
 * Whether what a rollout met is most likely still down a moment later: its surroundings, by the agent's own words or ours, or
 * whatever kept the agent from getting it at all.
 */
function isOutage(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'infra_error') return true;
  if (outcome.kind !== 'lost') return false;
  const { error } = outcome;
  return RuntimeError.isInstance(error) && error.delivery === 'never';
}
