import type { IntendedWork, PastRollout, RunLog } from '@art/journal';
import { ArtError, type RolloutOutcome } from '@art/protocol';
import type { ActiveRollouts, RolloutStart } from '../active/active-rollouts.ts';
import { trajectoryOf } from '../gateway/trajectory-of.ts';
import { isLeftAlone } from '../lifecycle/may-have-session.ts';
import { outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { RolloutDeps, RolloutListener } from '../lifecycle/rollout-deps.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { adoptRollout, recordedError, type Adoption } from '../recording/adopt-rollout.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import type { Attempt, AttemptPlace } from './attempt.ts';
import type { FailureCause } from './failure-policy.ts';
import { withMethods } from './with-methods.ts';

/** The item that an attempt is made for: it says what is sent, and hears what came of it. */
export interface AttemptOwner {
  readonly id: string;
  /** Position in the data. */
  readonly index: number;
  readonly input: object;
  readonly inputId: string;
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  readonly rewardOf: CaptureReward | undefined;
  /** Ids and overrides of an attempt. May throw what the caller's functions throw. */
  choose(attempt: ItemAttempt): RolloutChoices;
  /** What the journal is told of an attempt before it is sent. */
  workOf(attempt: ItemAttempt): IntendedWork;
  /** An attempt has its rollout. */
  started(attempt: ItemAttempt, rollout: Rollout): void;
  /** @param mayBegin whether further attempts can be begun */
  ended(attempt: ItemAttempt, result: AttemptResult, mayBegin: boolean): void;
  /** Whether no other attempt of the same member was made by this process. */
  isFirstMade(attempt: ItemAttempt): boolean;
}

/** What attempts are made with. */
export interface AttemptDeps extends RolloutDeps {
  active: ActiveRollouts;
  /** The run in its journal, where it has one. */
  runLog: RunLog | undefined;
  timeoutMs: number;
  /** Aborts when no further attempts are wanted, with an ArtError. */
  over: AbortSignal;
  onEvent: RolloutListener;
  /** The attempt may have left this process. */
  onLeaving: (attempt: ItemAttempt) => void;
}

/** What an attempt came to. */
export interface AttemptResult {
  inputId: string;
  /** Empty where the payload could not be sent at all. */
  sessionId: string;
  invocationId: string | undefined;
  resultKey: string | undefined;
  outcome: RolloutOutcome;
  timings: RolloutTimings;
  /** Undefined where this process began none. */
  rollout: Rollout | undefined;
  /** A resume called it off: another attempt is due, whatever the policy says. */
  isRecalled: boolean;
}

type State =
  | { phase: 'queued' }
  | { phase: 'running'; rollout: Rollout }
  | { phase: 'ended'; result: AttemptResult }
  /** Its item no longer needs it. Without a rollout where it had not begun. */
  | { phase: 'unneeded'; rollout: Rollout | undefined };

const queued: State = { phase: 'queued' };
// A rollout whose deadline passed while no process watched still gets a look at the store.
const leastAdoptedTimeoutMs = 5_000;

/** One attempt of a member of an item, from its place in the queue to its result. */
export class ItemAttempt {
  readonly item: AttemptOwner;
  readonly member: number;
  /** Among the attempts of the member, from 0. */
  readonly number: number;
  /** Whether this process has taken it up. */
  wasMade = false;
  /** What cancels the timer after which it counts as slow. */
  cancelHedge: (() => void) | undefined;
  /** What an earlier process left of it, until it is taken up. */
  #past: PastRollout | undefined;
  #state: State = queued;

  constructor(item: AttemptOwner, member: number, number: number, past: PastRollout | undefined) {
    this.item = item;
    this.member = member;
    this.number = number;
    this.#past = past;
  }

  get place(): AttemptPlace {
    return { index: this.item.index, member: this.member, attempt: this.number };
  }

  /** Whether it waits for its turn, or for its result. */
  get isOpen(): boolean {
    return this.#state.phase === 'queued' || this.#state.phase === 'running';
  }

  get isUnneeded(): boolean {
    return this.#state.phase === 'unneeded';
  }

  get result(): AttemptResult | undefined {
    return this.#state.phase === 'ended' ? this.#state.result : undefined;
  }

  /** Undefined while it has none, or where this process began none. */
  get rollout(): Rollout | undefined {
    if (this.#state.phase === 'queued') return undefined;
    return this.#state.phase === 'ended' ? this.#state.result.rollout : this.#state.rollout;
  }

  /** The session that worked for it, or does. */
  get sessionId(): string | undefined {
    return this.result?.sessionId ?? this.rollout?.request.sessionId;
  }

  /** An earlier process saw it end, and made another one. @returns why */
  endBefore(past: PastRollout): FailureCause {
    const { state } = past;
    const kind = state.phase === 'settled' && state.outcome !== 'ok' ? state.outcome : 'cancelled';
    const outcome = { kind, error: recordedError(past) } as RolloutOutcome;
    this.#state = { phase: 'ended', result: pastResult(past, outcome, past.submittedAtMs, false) };
    return kind;
  }

  /** Makes it, once. */
  async make(deps: AttemptDeps): Promise<AttemptResult> {
    const past = this.#past;
    this.#past = undefined;
    this.wasMade = true;
    const begun = past === undefined ? this.#begin(deps) : await this.#adopt(past, deps);
    let result: AttemptResult;
    if ('outcome' in begun) result = begun;
    else {
      const { rollout, leftMs } = begun;
      this.#started(rollout);
      const cancelDeadline = deps.clock.after(leftMs, () => rollout.expire(deps.timeoutMs));
      const outcome = await rollout.settled;
      cancelDeadline();
      result = resultOf(rollout, outcome);
    }
    if (this.#state.phase !== 'unneeded') this.#state = { phase: 'ended', result };
    return result;
  }

  /** Ends it, and the session that may work for it: its item no longer needs it. */
  drop(reason: Error): void {
    if (!this.isOpen) return;
    const { rollout } = this;
    this.#state = { phase: 'unneeded', rollout };
    rollout?.cancel(reason);
  }

  /** What a consumer is told of it; undefined where no session ever worked for it. */
  toAttempt(): Attempt | undefined {
    const { result, rollout, number: attempt } = this;
    const known = result ?? (rollout && { ...rollout.request, outcome: undefined, timings: rollout.timings });
    if (known === undefined) return undefined;
    const { sessionId, invocationId, resultKey, outcome, timings } = known;
    const { throttled = 0, resent = 0 } = rollout ?? {};
    return withMethods(
      { attempt, sessionId, invocationId, resultKey, outcome, timings, throttled, resent },
      { trajectory: () => trajectoryOf(rollout ?? result!) },
    );
  }

  #begin(deps: AttemptDeps): { rollout: Rollout; leftMs: number } | AttemptResult {
    const { item } = this;
    try {
      const choices = item.choose(this);
      const recorder = deps.runLog?.newRollout(item.workOf(this));
      return { rollout: this.#start({ choices, recorder }, deps), leftMs: deps.timeoutMs };
    } catch (error) {
      return this.#refused(item.inputId, error, deps);
    }
  }

  async #adopt(
    past: PastRollout,
    deps: AttemptDeps,
  ): Promise<{ rollout: Rollout; leftMs: number } | AttemptResult> {
    const { active, runLog, clock, timeoutMs } = deps;
    const adoption = await adoptionOf(past, deps);
    if (adoption.kind !== 'goes_on') {
      const { outcome } = adoption;
      if (!isLeftAlone(outcome)) active.dropCapture(past.sessionId);
      return pastResult(past, outcome, clock.epochMs(), adoption.kind === 'recalled');
    }
    const { beginning } = adoption;
    // It is not known whether a rollout that is sent again has begun, so it gets its full time.
    const spentMs = beginning.kind === 'accepted' ? clock.epochMs() - past.submittedAtMs : 0;
    const leftMs = Math.max(leastAdoptedTimeoutMs, Math.min(timeoutMs, timeoutMs - spentMs));
    try {
      const { overrides } = beginning.kind === 'unsure' ? this.item.choose(this) : {};
      const start = { choices: { overrides }, past, beginning, recorder: runLog!.adopt(past) };
      return { rollout: this.#start(start, deps), leftMs };
    } catch (error) {
      return this.#refused(past.inputId, error, deps);
    }
  }

  #start(own: Pick<RolloutStart, 'choices' | 'past' | 'beginning' | 'recorder'>, deps: AttemptDeps): Rollout {
    const { item, member, number: attempt } = this;
    const { active, onEvent, onLeaving } = deps;
    return active.start({
      payload: item.input,
      index: item.index,
      member,
      attempt,
      onEvent,
      onLeaving: () => onLeaving(this),
      rewardOf: item.rewardOf,
      ...own,
    });
  }

  #started(rollout: Rollout): void {
    if (this.#state.phase === 'unneeded') {
      // It had left the queue when its item was settled.
      this.#state = { phase: 'unneeded', rollout };
      rollout.cancel(new Error('its item no longer needs it'));
    } else this.#state = { phase: 'running', rollout };
    this.item.started(this, rollout);
  }

  #refused(inputId: string, error: unknown, { clock }: AttemptDeps): AttemptResult {
    const asArtError = ArtError.isInstance(error)
      ? error
      : new ArtError({
          code: 'ART_INVALID_PAYLOAD',
          message: `Payload ${this.item.index} could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
          cause: error,
        });
    const ids = { inputId, sessionId: '', invocationId: undefined, resultKey: undefined };
    const timings = timingsOfNone(clock.epochMs(), 0);
    return { ...ids, outcome: outcomeOfFailure(asArtError), timings, rollout: undefined, isRecalled: false };
  }
}

/** Until it is known how far the attempt came, an end of the run is all there is to tell. */
async function adoptionOf(past: PastRollout, deps: AttemptDeps): Promise<Adoption> {
  const { over } = deps;
  try {
    const adoption = await adoptRollout(past, deps.runLog!, deps, over);
    over.throwIfAborted();
    return adoption;
  } catch (error) {
    if (!over.aborted) throw error;
    const reason = over.reason as ArtError;
    const kind = reason.code === 'ART_ROLLOUT_TIMEOUT' ? 'timeout' : 'cancelled';
    return { kind: 'over', outcome: { kind, error: reason } };
  }
}

function resultOf(rollout: Rollout, outcome: RolloutOutcome): AttemptResult {
  const { inputId, sessionId, invocationId, resultKey } = rollout.request;
  const ids = { inputId, sessionId, invocationId, resultKey };
  return { ...ids, outcome, timings: rollout.timings, rollout, isRecalled: false };
}

function pastResult(
  { inputId, sessionId, invocationId, resultKey, submittedAtMs, state }: PastRollout,
  outcome: RolloutOutcome,
  nowEpochMs: number,
  isRecalled: boolean,
): AttemptResult {
  const settledMs = (state.phase === 'settled' ? state.settledAtMs : nowEpochMs) - submittedAtMs;
  const timings = timingsOfNone(submittedAtMs, settledMs);
  const ids = { inputId, sessionId, invocationId, resultKey };
  return { ...ids, outcome, timings, rollout: undefined, isRecalled };
}

/** Of a result without a rollout of this process. */
function timingsOfNone(submittedAtMs: number, settledMs: number): RolloutTimings {
  return {
    submittedAtMs,
    acceptedMs: undefined,
    noticedMs: undefined,
    settledMs,
    stoppedMs: undefined,
  };
}
