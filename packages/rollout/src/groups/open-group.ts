import { ArtError, RuntimeError, type RolloutOutcome } from '@art/protocol';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { Attempt, type AttemptEnd, type AttemptPurpose, type Retry } from '../pool/attempt.ts';
import { defaultRetryDelayMs } from '../pool/retry-policy.ts';
import type { RunParts } from '../pool/run-parts.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import { buildGroup } from './build-group.ts';
import type { GroupOptions, GroupRules } from './group-options.ts';
import { failureRule } from './group-policy.ts';
import {
  advanceGroup,
  isSettled,
  openGroupState,
  type GroupState,
  type GroupTransition,
} from './group-state.ts';
import type { Group } from './group.ts';
import { judgeOutcome } from './judge-outcome.ts';

/** What the groups of a run work with. */
export interface OpenGroupParts<Input extends object> {
  options: GroupOptions<Input>;
  rules: GroupRules;
  run: RunParts;
  /** Lines an attempt up behind those that wait, after a pause where one is asked for. */
  launch: (attempt: Attempt, pauseMs: number) => void;
  onSettled: (group: OpenGroup<Input>) => void;
}

/** A group whose members are at work: carries out what the transitions of its state ask for. */
export class OpenGroup<Input extends object> implements AttemptPurpose {
  readonly #input: Input;
  readonly #index: number;
  readonly #parts: OpenGroupParts<Input>;
  readonly #attempts: Attempt[][];
  /** What cancels the timers of attempts that may become late. */
  readonly #lateTimers = new Map<Attempt, () => void>();
  readonly #sessionIds = new Set<string>();
  readonly #openedMs: number;
  /** Attempts whose documents are being read again: until all are, it is not known what else is needed. */
  readonly #rereading = new Set<Attempt>();
  #inputId: string | undefined;
  #state: GroupState;

  constructor(input: Input, index: number, parts: OpenGroupParts<Input>) {
    this.#input = input;
    this.#index = index;
    this.#parts = parts;
    this.#openedMs = parts.run.clock.nowMs();
    this.#state = openGroupState(parts.rules.size);
    this.#attempts = this.#state.map(() => []);
    this.#launchGranted();
  }

  /** By the rules of the group: what it would count is kept, failed handlers with a reward of the policy among it. */
  readonly rewardOf: CaptureReward = (outcome) => {
    const { rewardRule, policy } = this.#parts.rules;
    const judgement = judgeOutcome(outcome, rewardRule);
    if (judgement.kind === 'rewarded') return judgement.reward;
    const { fallback } = failureRule(policy, judgement.cause);
    return typeof fallback === 'object' ? fallback.reward : undefined;
  };

  choose({ place }: Attempt): RolloutChoices {
    const { sessionId, overrides } = this.#parts.options;
    const { index, member = 0, attempt } = place;
    const memberPlace = { index, member, attempt };
    return {
      inputId: this.#chosenInputId(),
      sessionId: sessionId && this.#claimSession(sessionId(this.#input, memberPlace)),
      overrides: overrides?.(this.#input, memberPlace),
    };
  }

  started(attempt: Attempt, { timings }: Rollout): void {
    const { run, rules } = this.#parts;
    const { clock } = run;
    const afterMs = rules.policy.late?.afterMs;
    if (afterMs === undefined || !attempt.isOpen) return;
    // One that an earlier process submitted is as late as it is.
    const spentMs = Math.max(0, clock.epochMs() - timings.submittedAtMs);
    const onLate = (): void => this.#advance({ type: 'late', member: memberOf(attempt) });
    this.#lateTimers.set(attempt, clock.after(Math.max(0, afterMs - spentMs), onLate));
  }

  /** What a resume has called off begins anew under the same number; what else follows is a matter of the group's state. */
  retry({ place }: Attempt, { isRecalled }: AttemptEnd): Retry | undefined {
    return isRecalled ? { number: place.attempt, afterMs: 0 } : undefined;
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
    const { rules, run } = this.#parts;
    return buildGroup({
      index: this.#index,
      inputId: this.#settledInputId(),
      input: this.#input,
      state: this.#state,
      attempts: this.#attempts,
      rules,
      elapsedMs: run.clock.nowMs() - this.#openedMs,
      acknowledge: () => run.session?.acknowledge(this.#index) ?? Promise.resolve(),
    });
  }

  /** Asked of the caller once; @throws what the caller's function throws, every time. */
  #chosenInputId(): string {
    const { options, run } = this.#parts;
    this.#inputId ??=
      options.inputId?.(this.#input, this.#index) ?? generatedInputId(run.inputIdPrefix, this.#index);
    return this.#inputId;
  }

  /** Nobody has asked for it yet where an earlier process started every member; '' where the caller's function throws. */
  #settledInputId(): string {
    try {
      return this.#chosenInputId();
    } catch {
      return '';
    }
  }

  /** @throws ArtError `ART_DUPLICATE_ROLLOUT` where an earlier attempt had the same session: its result would be read again. */
  #claimSession(sessionId: string): string {
    if (this.#sessionIds.has(sessionId)) {
      throw new ArtError({
        code: 'ART_DUPLICATE_ROLLOUT',
        message: `Expected option sessionId to give every attempt of a group a session of its own, got ${JSON.stringify(sessionId)} twice. Make it depend on member and attempt, or leave it out.`,
      });
    }
    this.#sessionIds.add(sessionId);
    return sessionId;
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
        const place = { index: this.#index, member, attempt: number };
        const past = this.#parts.run.session?.pastOf(place);
        const attempt = new Attempt(this, place, this.#input, past);
        attempts.push(attempt);
        onLaunch?.(attempt);
        this.#parts.launch(attempt, pauseBefore(attempt, attempts[number - 1]));
      }
    }
  }

  /** Whether an earlier process saw an attempt end with a document. */
  #wasStored(member: number, attempt: number): boolean {
    const state = this.#parts.run.session?.pastOf({ index: this.#index, member, attempt }).at(-1)?.state;
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
