import type { PastRollout, RolloutPlace } from '@art/journal';
import { ArtError, type RolloutOutcome } from '@art/protocol';
import { isLeftAlone } from '../lifecycle/may-have-session.ts';
import { outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { RolloutListener } from '../lifecycle/rollout-parts.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { RolloutStart } from '../live/live-rollouts.ts';
import { adoptRollout, recordedError, type Adoption } from '../recording/adopt-rollout.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import type { RetriableOutcomeKind } from './retry-policy.ts';
import type { RunParts } from './run-parts.ts';

/** What an attempt is made for: it says what is sent, and hears what came of it. */
export interface AttemptPurpose {
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  readonly rewardOf?: CaptureReward | undefined;
  /** Ids and overrides of an attempt. May throw what the caller's functions throw. */
  choose(attempt: Attempt): RolloutChoices;
  /** An attempt has its rollout. */
  started?(attempt: Attempt, rollout: Rollout): void;
  /** The attempt that is due in the place of one that has ended; undefined where none is. */
  retry(attempt: Attempt, end: AttemptEnd): Retry | undefined;
  /** An attempt has ended, and none follows in its place. */
  settled(attempt: Attempt, end: AttemptEnd): void;
}

/** A further attempt in the place of another. */
export interface Retry {
  number: number;
  /** The pause before it. */
  afterMs: number;
}

/** How the pool makes an attempt. */
export interface AttemptRun {
  timeoutMs: number;
  /** Aborts when no further attempts are wanted, with an ArtError. */
  over: AbortSignal;
  onEvent: RolloutListener;
  /** An attempt may have left this process. */
  onLeaving: (attempt: Attempt) => void;
}

/** An attempt that was followed by another one. A document that it stores late lies under its own key. */
export interface LosingAttempt {
  /** Its number, from 0. */
  attempt: number;
  sessionId: string;
  resultKey: string | undefined;
  /** `cancelled` only where an earlier process, or a resume, ended it. */
  kind: RetriableOutcomeKind | 'cancelled';
  error: ArtError;
}

/** How an attempt has ended. */
export interface AttemptEnd {
  inputId: string;
  /** Empty where the payload could not be sent at all. */
  sessionId: string;
  invocationId: string | undefined;
  resultKey: string | undefined;
  outcome: RolloutOutcome;
  timings: RolloutTimings;
  /** Undefined where this process began none. */
  rollout: Rollout | undefined;
  /** A resume ended it: another attempt is due, whatever the policy says. */
  isRecalled: boolean;
}

/** A rollout that was started, and how much of its time is left. */
type Begun = { rollout: Rollout; leftMs: number };

type State =
  | { phase: 'queued' }
  | { phase: 'running'; rollout: Rollout }
  | { phase: 'ended'; end: AttemptEnd }
  /** Nobody needs it any longer. Without a rollout where it had not begun. */
  | { phase: 'unneeded'; rollout: Rollout | undefined };

// A rollout whose deadline passed while nobody watched still gets a look at the store.
const leastAdoptedTimeoutMs = 5_000;

/** One session's worth of work: from its place in the queue to its end, and from there to another one where it is renewed. */
export class Attempt {
  readonly payload: unknown;
  readonly purpose: AttemptPurpose;
  /** Position among the rollouts of its run, for events. */
  index: number;
  #place: RolloutPlace;
  #past: PastRollout | undefined;
  #losing: readonly LosingAttempt[];
  #state: State = { phase: 'queued' };

  /** @param past rollouts of earlier processes for the same: the last one is taken up, no session is used again */
  constructor(
    purpose: AttemptPurpose,
    place: RolloutPlace,
    payload: unknown,
    past: readonly PastRollout[] = [],
  ) {
    this.payload = payload;
    this.purpose = purpose;
    this.index = place.index;
    this.#place = place;
    this.#past = past.at(-1);
    this.#losing = past.slice(0, -1).map(losingOfPast);
  }

  get place(): RolloutPlace {
    return this.#place;
  }

  get state(): State {
    return this.#state;
  }

  /** The attempts before it in its place, those of earlier processes among them, in order. */
  get losing(): readonly LosingAttempt[] {
    return this.#losing;
  }

  /** Whether it waits for a place, or for its end. */
  get isOpen(): boolean {
    return this.#state.phase === 'queued' || this.#state.phase === 'running';
  }

  /** Undefined while it has none, or where this process began none. */
  get rollout(): Rollout | undefined {
    if (this.#state.phase === 'queued') return undefined;
    return this.#state.phase === 'ended' ? this.#state.end.rollout : this.#state.rollout;
  }

  /** Makes it, once. */
  async run(parts: RunParts, run: AttemptRun): Promise<AttemptEnd> {
    const past = this.#past;
    this.#past = undefined;
    const begun = past === undefined ? this.#begin(parts, run) : await this.#adopt(past, parts, run);
    let end: AttemptEnd;
    if ('outcome' in begun) end = begun;
    else {
      const { rollout, leftMs } = begun;
      this.#begun(rollout);
      const cancelDeadline = parts.clock.after(leftMs, () => rollout.expire(run.timeoutMs));
      const outcome = await rollout.settled;
      cancelDeadline();
      end = endOf(rollout, outcome);
    }
    if (this.#state.phase !== 'unneeded') this.#state = { phase: 'ended', end };
    return end;
  }

  /** Puts it back into the state that it was made in, for another session. */
  renew(number: number, { sessionId, resultKey, outcome }: AttemptEnd): void {
    if (outcome.kind !== 'ok') {
      const { kind, error } = outcome;
      const losing = { attempt: this.#place.attempt, sessionId, resultKey, kind, error };
      this.#losing = [...this.#losing, losing];
    }
    this.#place = { ...this.#place, attempt: number };
    if (this.#state.phase !== 'unneeded') this.#state = { phase: 'queued' };
  }

  /** Ends it, and the session that may work for it: nobody needs it any longer. */
  drop(reason: Error): void {
    if (!this.isOpen) return;
    const { rollout } = this;
    this.#state = { phase: 'unneeded', rollout };
    rollout?.cancel(reason);
  }

  #begin(parts: RunParts, run: AttemptRun): Begun | AttemptEnd {
    let inputId: string | undefined;
    try {
      let choices = this.purpose.choose(this);
      inputId = choices.inputId;
      // A caller who chooses by payload alone names the same session twice; a new attempt must not share its key.
      if (this.#losing.some(({ sessionId }) => sessionId === choices.sessionId))
        choices = { ...choices, sessionId: undefined };
      const recorder = parts.session?.record.newRollout(this.#place, this.payload);
      return { rollout: this.#start({ choices, recorder }, parts, run), leftMs: run.timeoutMs };
    } catch (error) {
      return this.#refused(inputId, error, parts);
    }
  }

  async #adopt(past: PastRollout, parts: RunParts, run: AttemptRun): Promise<Begun | AttemptEnd> {
    const { live, session, clock } = parts;
    const adoption = await adoptionOf(past, parts, run.over);
    if (adoption.kind !== 'goes_on') {
      if (!isLeftAlone(adoption.outcome)) live.dropCapture(past.sessionId);
      return endOfPast(past, adoption, clock.epochMs());
    }
    const { beginning } = adoption;
    // Nobody knows whether a rollout that is sent again has begun, so it gets its full time.
    const spentMs = beginning.kind === 'accepted' ? clock.epochMs() - past.submittedAtMs : 0;
    const leftMs = Math.max(leastAdoptedTimeoutMs, Math.min(run.timeoutMs, run.timeoutMs - spentMs));
    try {
      const { overrides } = beginning.kind === 'unsure' ? this.purpose.choose(this) : {};
      const recorder = session!.adopt(past);
      const start = { choices: { overrides }, past, beginning, recorder };
      return { rollout: this.#start(start, parts, run), leftMs };
    } catch (error) {
      return this.#refused(past.inputId, error, parts);
    }
  }

  #start(
    own: Pick<RolloutStart, 'choices' | 'past' | 'beginning' | 'recorder'>,
    { live, inputIdPrefix }: RunParts,
    { onEvent, onLeaving }: AttemptRun,
  ): Rollout {
    const { payload, index } = this;
    const { rewardOf } = this.purpose;
    const hooks = { onEvent, onLeaving: () => onLeaving(this), rewardOf };
    return live.start({ payload, index, ...hooks, ...own }, inputIdPrefix);
  }

  #begun(rollout: Rollout): void {
    if (this.#state.phase === 'unneeded') {
      // It had left the queue when it turned out to be needless.
      this.#state = { phase: 'unneeded', rollout };
      rollout.cancel(new Error('nobody needs it any longer'));
    } else this.#state = { phase: 'running', rollout };
    this.purpose.started?.(this, rollout);
  }

  #refused(inputId: string | undefined, error: unknown, { clock }: RunParts): AttemptEnd {
    const asArtError = ArtError.isInstance(error)
      ? error
      : new ArtError({
          code: 'ART_INVALID_PAYLOAD',
          message: `Payload ${this.index} could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
          cause: error,
        });
    const ids = { inputId: inputId ?? '', sessionId: '', invocationId: undefined, resultKey: undefined };
    const timings = timingsOfNone(clock.epochMs(), 0);
    return { ...ids, outcome: outcomeOfFailure(asArtError), timings, rollout: undefined, isRecalled: false };
  }
}

/** Until it is known how far it came, an end from outside is all there is to tell. */
async function adoptionOf(past: PastRollout, parts: RunParts, over: AbortSignal): Promise<Adoption> {
  try {
    const adoption = await adoptRollout(past, parts.session!, parts, over);
    over.throwIfAborted();
    return adoption;
  } catch (error) {
    if (!over.aborted) throw error;
    const reason = over.reason as ArtError;
    const kind = reason.code === 'ART_ROLLOUT_TIMEOUT' ? 'timeout' : 'cancelled';
    return { kind: 'over', outcome: { kind, error: reason } };
  }
}

function endOf(rollout: Rollout, outcome: RolloutOutcome): AttemptEnd {
  const { inputId, sessionId, attemptId: invocationId, resultKey } = rollout.request;
  const ids = { inputId, sessionId, invocationId, resultKey };
  return { ...ids, outcome, timings: rollout.timings, rollout, isRecalled: false };
}

function endOfPast(
  { inputId, sessionId, attemptId: invocationId, resultKey, submittedAtMs, state }: PastRollout,
  { kind, outcome }: Exclude<Adoption, { kind: 'goes_on' }>,
  nowEpochMs: number,
): AttemptEnd {
  const settledMs = (state.phase === 'settled' ? state.settledAtMs : nowEpochMs) - submittedAtMs;
  const timings = timingsOfNone(submittedAtMs, settledMs);
  const ids = { inputId, sessionId, invocationId, resultKey };
  return { ...ids, outcome, timings, rollout: undefined, isRecalled: kind === 'recalled' };
}

/** Of an end without a rollout of this process. */
function timingsOfNone(submittedAtMs: number, settledMs: number): RolloutTimings {
  return { submittedAtMs, acceptedMs: undefined, noticedMs: undefined, settledMs };
}

/** An attempt that an earlier process made and gave up. */
function losingOfPast(past: PastRollout): LosingAttempt {
  const { attempt, sessionId, resultKey, state } = past;
  const kind = state.phase === 'settled' && state.outcome !== 'ok' ? state.outcome : 'cancelled';
  return { attempt, sessionId, resultKey, kind, error: recordedError(past) };
}
