import type { PastRollout, RolloutPlace, RunSession } from '@art/journal';
import { ArtError, type RolloutOutcome } from '@art/protocol';
import { isLeftAlone } from '../lifecycle/may-have-session.ts';
import { outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { Rollout, RolloutListener } from '../lifecycle/rollout.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import type { LiveRollouts, RolloutStart } from '../live/live-rollouts.ts';
import { adoptRollout, type Adoption, type AdoptRolloutParts } from '../recording/adopt-rollout.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';

/** What an attempt asks of the one that plans it. */
export interface AttemptPlanner<Plan> {
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  readonly rewardOf?: CaptureReward | undefined;
  /** Ids and overrides of an attempt. May throw what the caller's functions throw. */
  choose(attempt: Attempt<Plan>): RolloutChoices;
  /** An attempt has its rollout. */
  started?(attempt: Attempt<Plan>, rollout: Rollout): void;
}

/** What the attempts of a run share. */
export interface AttemptParts<Plan> extends AdoptRolloutParts {
  live: Pick<LiveRollouts, 'start' | 'dropCapture'>;
  /** Of input ids that the caller does not choose. */
  inputIdPrefix: string;
  scheduler: AttemptPlanner<Plan>;
  /** The run in its journal, where it has one. */
  session: RunSession | undefined;
  timeoutMs: number;
  onEvent: RolloutListener;
  /** An attempt may have left this process. */
  onLeaving(attempt: Attempt<Plan>): void;
}

export interface AttemptInit<Plan> {
  place: RolloutPlace;
  payload: unknown;
  /** What its scheduler knows of it. */
  plan: Plan;
  /** Rollouts of earlier processes for the same: the last one is taken up, no session is used again. @default none */
  past?: readonly PastRollout[] | undefined;
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

/** A rollout that was started, or how an attempt has ended without one. */
type Beginning = Begun | AttemptEnd;
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
export class Attempt<Plan = unknown> {
  readonly payload: unknown;
  readonly plan: Plan;
  /** Position among the rollouts of its run, for events. */
  index: number;
  #place: RolloutPlace;
  #past: PastRollout | undefined;
  #formerSessionIds: readonly string[];
  #state: State = { phase: 'queued' };

  constructor({ place, payload, plan, past = [] }: AttemptInit<Plan>) {
    this.payload = payload;
    this.plan = plan;
    this.index = place.index;
    this.#place = place;
    this.#past = past.at(-1);
    this.#formerSessionIds = past.slice(0, -1).map(({ sessionId }) => sessionId);
  }

  get place(): RolloutPlace {
    return this.#place;
  }

  get state(): State {
    return this.#state;
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

  /** Makes it, once. @param over aborts when no further attempts are wanted, with an ArtError */
  async run(parts: AttemptParts<Plan>, over: AbortSignal): Promise<AttemptEnd> {
    const past = this.#past;
    this.#past = undefined;
    const begun = past === undefined ? this.#begin(parts) : await this.#adopt(past, parts, over);
    let end: AttemptEnd;
    if ('outcome' in begun) end = begun;
    else {
      const { rollout } = begun;
      const cancelDeadline = this.#started(begun, parts);
      const outcome = await rollout.settled;
      cancelDeadline();
      end = endOf(rollout, outcome);
    }
    if (this.#state.phase !== 'unneeded') this.#state = { phase: 'ended', end };
    return end;
  }

  /** Puts it back into the state that it was made in, for another session. */
  renew(number: number, { sessionId }: AttemptEnd): void {
    this.#formerSessionIds = [...this.#formerSessionIds, sessionId];
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

  #running(rollout: Rollout): void {
    if (this.#state.phase !== 'unneeded') {
      this.#state = { phase: 'running', rollout };
      return;
    }
    // It had left the queue when it turned out to be needless.
    this.#state = { phase: 'unneeded', rollout };
    rollout.cancel(new Error('nobody needs it any longer'));
  }

  #begin(parts: AttemptParts<Plan>): Beginning {
    const { scheduler, session, timeoutMs } = parts;
    let inputId: string | undefined;
    try {
      let choices = scheduler.choose(this);
      inputId = choices.inputId;
      // A caller who chooses by payload alone names the same session twice; a new attempt must not share its key.
      if (choices.sessionId !== undefined && this.#formerSessionIds.includes(choices.sessionId))
        choices = { ...choices, sessionId: undefined };
      const recorder = session?.record.newRollout(this.#place, this.payload);
      return { rollout: this.#start({ choices, recorder }, parts), leftMs: timeoutMs };
    } catch (error) {
      return this.#refused(inputId, error, parts);
    }
  }

  async #adopt(past: PastRollout, parts: AttemptParts<Plan>, over: AbortSignal): Promise<Beginning> {
    const { live, scheduler, clock, timeoutMs } = parts;
    const session = parts.session!;
    const adoption = await adoptionOf(past, session, parts, over);
    if (adoption.kind !== 'goes_on') {
      if (!isLeftAlone(adoption.outcome)) live.dropCapture(past.sessionId);
      return endOfPast(past, adoption, clock.epochMs());
    }
    const { beginning } = adoption;
    // Nobody knows whether a rollout that is sent again has begun, so it gets its full time.
    const spentMs = beginning.kind === 'accepted' ? clock.epochMs() - past.submittedAtMs : 0;
    const leftMs = Math.max(leastAdoptedTimeoutMs, Math.min(timeoutMs, timeoutMs - spentMs));
    try {
      const { overrides } = beginning.kind === 'unsure' ? scheduler.choose(this) : {};
      const recorder = session.adopt(past);
      return { rollout: this.#start({ choices: { overrides }, past, beginning, recorder }, parts), leftMs };
    } catch (error) {
      return this.#refused(past.inputId, error, parts);
    }
  }

  #start(
    own: Pick<RolloutStart, 'choices' | 'past' | 'beginning' | 'recorder'>,
    parts: AttemptParts<Plan>,
  ): Rollout {
    const { payload, index } = this;
    const { live, inputIdPrefix, scheduler, onEvent } = parts;
    const onLeaving = (): void => parts.onLeaving(this);
    const { rewardOf } = scheduler;
    return live.start({ payload, index, onEvent, onLeaving, rewardOf, ...own }, inputIdPrefix);
  }

  /** @returns what lets go of its deadline */
  #started({ rollout, leftMs }: Begun, { clock, timeoutMs, scheduler }: AttemptParts<Plan>): () => void {
    this.#running(rollout);
    scheduler.started?.(this, rollout);
    return clock.after(leftMs, () => rollout.expire(timeoutMs));
  }

  #refused(inputId: string | undefined, error: unknown, { clock }: AttemptParts<Plan>): AttemptEnd {
    const asArtError = ArtError.isInstance(error)
      ? error
      : new ArtError({
          code: 'ART_INVALID_PAYLOAD',
          message: `Payload ${this.index} could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
          cause: error,
        });
    const submittedAtMs = clock.epochMs();
    return {
      inputId: inputId ?? '',
      sessionId: '',
      invocationId: undefined,
      resultKey: undefined,
      outcome: outcomeOfFailure(asArtError),
      timings: { submittedAtMs, acceptedMs: undefined, noticedMs: undefined, settledMs: 0 },
      rollout: undefined,
      isRecalled: false,
    };
  }
}

/** Until it is known how far it came, an end from outside is all there is to tell. */
async function adoptionOf(
  past: PastRollout,
  session: RunSession,
  parts: AdoptRolloutParts,
  over: AbortSignal,
): Promise<Adoption> {
  try {
    const adoption = await adoptRollout(past, session, parts, over);
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
  return {
    inputId,
    sessionId,
    invocationId,
    resultKey,
    outcome,
    timings: { submittedAtMs, acceptedMs: undefined, noticedMs: undefined, settledMs },
    rollout: undefined,
    isRecalled: kind === 'recalled',
  };
}
