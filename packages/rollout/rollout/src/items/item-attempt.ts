import type { IntendedWork, PastRollout, RunLog } from '@art/journal';
import { ArtError, describeThrown } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { ActiveRollouts, RolloutStart } from '../active/active-rollouts.ts';
import { trajectoryOf } from '../gateway/trajectory-of.ts';
import { isLeftAlone, outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
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
  /** Names it in the run. */
  readonly id: string;
  /** Position in the data. */
  readonly index: number;
  readonly input: object;
  readonly inputId: string;
  /** In the order in which they were granted. */
  readonly attempts: readonly ItemAttempt[];
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  readonly rewardOf: CaptureReward | undefined;
  /** Ids and overrides of an attempt. May throw what the caller's functions throw. */
  choose(attempt: ItemAttempt): RolloutChoices;
  /** The journal entry of an attempt before it is sent. */
  workOf(attempt: ItemAttempt): IntendedWork;
  /** An attempt has its rollout. */
  started(attempt: ItemAttempt, rollout: Rollout): void;
  /** @param mayBegin whether further attempts can be begun */
  ended(attempt: ItemAttempt, mayBegin: boolean): void;
  /** True if this process made no other attempt of the same member. */
  isFirstMade(attempt: ItemAttempt): boolean;
}

/** The dependencies of attempts. */
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

/**
 * The known facts of an attempt without a rollout of this process: it could not be sent, or an earlier process saw it
 * end.
 */
type Known = Pick<Attempt, 'sessionId' | 'invocationId' | 'resultKey' | 'timings'> & { inputId: string };

// A rollout whose deadline passed while no process watched still gets a look at the store.
const leastAdoptedTimeoutMs = 5_000;

/** One attempt of a member of an item, from its place in the queue to its outcome. */
export class ItemAttempt {
  readonly item: AttemptOwner;
  readonly member: number;
  /** Among the attempts of the member, from 0. */
  readonly number: number;
  /** Undefined until it is known; of one that is not needed any more it never is. */
  outcome: RolloutOutcome | undefined;
  /** Undefined while it has none, or where this process began none. */
  rollout: Rollout | undefined;
  /** True if this process has begun it. */
  wasMade = false;
  /** Its item no longer needs it. */
  isUnneeded = false;
  /** A resume called it off: another attempt is due, whatever the policy says. */
  isRecalled = false;
  /** Cancels the timer after which it counts as slow. */
  cancelHedge: (() => void) | undefined;
  /** The state that an earlier process left, until this process takes it up. */
  #past: PastRollout | undefined;
  #known: Known | undefined;

  constructor(item: AttemptOwner, member: number, number: number, past: PastRollout | undefined) {
    this.item = item;
    this.member = member;
    this.number = number;
    this.#past = past;
  }

  get place(): AttemptPlace {
    return { index: this.item.index, member: this.member, attempt: this.number };
  }

  /** True while it waits for its turn, or for its outcome. */
  get isOpen(): boolean {
    return this.outcome === undefined && !this.isUnneeded;
  }

  /** The session that worked for it, or does; empty where its payload could not be sent at all. */
  get sessionId(): string | undefined {
    return (this.rollout?.request ?? this.#known)?.sessionId;
  }

  /** An earlier process saw it end, and made another one. @returns why */
  endBefore(past: PastRollout): FailureCause {
    const { state } = past;
    const kind = state.phase === 'settled' && state.outcome !== 'ok' ? state.outcome : 'cancelled';
    this.#endPast(past, { kind, error: recordedError(past) } as RolloutOutcome, past.submittedAtMs);
    return kind;
  }

  /** Makes it, once; resolves when its outcome is known. */
  async make(deps: AttemptDeps): Promise<void> {
    const past = this.#past;
    this.#past = undefined;
    this.wasMade = true;
    const leftMs = past === undefined ? this.#begin(deps) : await this.#adopt(past, deps);
    const { rollout } = this;
    if (rollout === undefined || leftMs === undefined) return;
    // It may have left the queue before its item was settled.
    if (this.isUnneeded) rollout.cancel(new Error('its item no longer needs it'));
    this.item.started(this, rollout);
    const cancelDeadline = deps.clock.after(leftMs, () => rollout.expire(deps.timeoutMs));
    const outcome = await rollout.settled;
    cancelDeadline();
    if (!this.isUnneeded) this.outcome = outcome;
  }

  /** Ends it, and the session that may work for it: its item no longer needs it. */
  drop(): void {
    this.cancelHedge?.();
    if (!this.isOpen) return;
    this.isUnneeded = true;
    this.rollout?.cancel(new Error('its item no longer needs it'));
  }

  /** The attempt as a consumer sees it; undefined if no session ever worked for it. */
  toAttempt(): Attempt | undefined {
    const { rollout, outcome, number: attempt } = this;
    const known = rollout ? { ...rollout.request, timings: rollout.timings } : this.#known;
    if (known === undefined) return undefined;
    const { inputId, sessionId, invocationId, resultKey, timings } = known;
    const { throttled = 0, resent = 0 } = rollout ?? {};
    return withMethods(
      { attempt, sessionId, invocationId, resultKey, outcome, timings, throttled, resent },
      { trajectory: () => trajectoryOf(rollout ?? { inputId, sessionId, outcome: outcome! }) },
    );
  }

  /** @returns how much time it has; undefined where it could not be sent */
  #begin(deps: AttemptDeps): number | undefined {
    const { item } = this;
    try {
      const choices = item.choose(this);
      const recorder = deps.runLog?.newRollout(item.workOf(this));
      this.#start({ choices, recorder }, deps);
      return deps.timeoutMs;
    } catch (error) {
      this.#refuse(item.inputId, error, deps);
      return undefined;
    }
  }

  /** @returns how much time it has; undefined where it is over */
  async #adopt(past: PastRollout, deps: AttemptDeps): Promise<number | undefined> {
    const { active, runLog, clock, timeoutMs } = deps;
    const adoption = await adoptionOf(past, deps);
    if (adoption.kind !== 'goes_on') {
      if (!isLeftAlone(adoption.outcome)) active.dropCapture(past.sessionId);
      this.isRecalled = adoption.kind === 'recalled';
      this.#endPast(past, adoption.outcome, clock.epochMs());
      return undefined;
    }
    const { beginning } = adoption;
    // It is not known whether a rollout that is sent again has begun, so it gets its full time.
    const spentMs = beginning.kind === 'accepted' ? clock.epochMs() - past.submittedAtMs : 0;
    try {
      const { overrides } = beginning.kind === 'unsure' ? this.item.choose(this) : {};
      this.#start({ choices: { overrides }, past, beginning, recorder: runLog!.adopt(past) }, deps);
      return Math.max(leastAdoptedTimeoutMs, Math.min(timeoutMs, timeoutMs - spentMs));
    } catch (error) {
      this.#refuse(past.inputId, error, deps);
      return undefined;
    }
  }

  #start(own: Pick<RolloutStart, 'choices' | 'past' | 'beginning' | 'recorder'>, deps: AttemptDeps): void {
    const { item, member, number: attempt } = this;
    const { active, onEvent, onLeaving } = deps;
    const { input: payload, index, rewardOf } = item;
    const first = item.attempts.find((made) => made.member === member && made.rollout !== undefined);
    const retryOf = first?.rollout?.traceContext;
    const about = { payload, index, member, attempt, rewardOf, retryOf };
    this.rollout = active.start({ ...about, onEvent, onLeaving: () => onLeaving(this), ...own });
  }

  #refuse(inputId: string, error: unknown, { clock }: AttemptDeps): void {
    const asArtError = ArtError.isInstance(error)
      ? error
      : new ArtError({
          code: 'ART_INVALID_PAYLOAD',
          message: `Payload ${this.item.index} could not be prepared: ${describeThrown(error).message}`,
          cause: error,
        });
    const timings = timingsOf(clock.epochMs(), 0);
    this.#known = { inputId, sessionId: '', invocationId: undefined, resultKey: undefined, timings };
    if (!this.isUnneeded) this.outcome = outcomeOfFailure(asArtError);
  }

  #endPast(past: PastRollout, outcome: RolloutOutcome, nowEpochMs: number): void {
    const { inputId, sessionId, invocationId, resultKey, submittedAtMs, state } = past;
    const settledAtMs = state.phase === 'settled' ? state.settledAtMs : nowEpochMs;
    const timings = timingsOf(submittedAtMs, settledAtMs - submittedAtMs);
    this.#known = { inputId, sessionId, invocationId, resultKey, timings };
    if (!this.isUnneeded) this.outcome = outcome;
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

/** The timings of an attempt that this process did not run. */
function timingsOf(submittedAtMs: number, settledMs: number): RolloutTimings {
  const unknown = { acceptedMs: undefined, noticedMs: undefined, stoppedMs: undefined };
  return { ...unknown, submittedAtMs, settledMs };
}
