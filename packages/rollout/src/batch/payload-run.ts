import { type Clock, pause } from '@art/async';
import { ArtError, type RolloutOutcome } from '@art/protocol';
import { withMethods } from '../with-methods.ts';
import type { RolloutChoices } from '../client/rollout-choices.ts';
import { emptyTrajectory } from '../gateway/empty-trajectory.ts';
import type { CaptureReward } from '../gateway/gateway-session.ts';
import type { PastRollout } from '@art/journal';
import type { Rollout, RolloutListener } from '../lifecycle/rollout.ts';
import type { RolloutBeginning } from '../lifecycle/rollout-beginning.ts';
import { isLeftAlone } from '../lifecycle/is-left-alone.ts';
import type { RolloutRecorder } from '../lifecycle/rollout-recorder.ts';
import { rolloutCancelled } from '../lifecycle/rollout-cancelled.ts';
import type { RolloutTimings } from '../lifecycle/rollout-timings.ts';
import { outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
import type { BatchItem, LosingAttempt } from './batch-item.ts';
import type { Adoption, AttemptRecord } from './batch-record.ts';
import { recordedError } from '../recording/recorded-error.ts';
import type { RetriableOutcomeKind } from './retry-policy.ts';

/** What starts one rollout. */
export interface RolloutStart {
  payload: unknown;
  index: number;
  choices: RolloutChoices;
  /**
   * Its result comes from the session, whatever those of the client come from: on the connection where it runs in the
   * foreground. @default as the client's
   */
  inSession?: 'foreground' | 'background' | undefined;
  /** The session is somebody else's to stop. @default false */
  keepsSession?: boolean | undefined;
  /** The rollout of an earlier process that goes on. */
  past?: PastRollout | undefined;
  beginning?: RolloutBeginning | undefined;
  recorder?: RolloutRecorder | undefined;
  onEvent: RolloutListener;
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  rewardOf?: CaptureReward | undefined;
}

/** What the payloads of a batch share. */
export interface PayloadRunParts {
  clock: Clock;
  /** @throws ArtError when the payload cannot be sent. */
  start: (start: RolloutStart) => Rollout;
  /** Lets go of what a gateway captured of a rollout that nobody goes on with. @default nothing was captured */
  dropCapture?: ((sessionId: string) => void) | undefined;
  /** Ids and overrides that the caller chooses for an attempt. */
  choose: (payload: unknown, index: number, attempt: number) => RolloutChoices;
  record: AttemptRecord | undefined;
  retries: Record<RetriableOutcomeKind, number>;
  retryDelayMs: (attempt: number) => number;
  /** Of one attempt. */
  timeoutMs: number;
  onEvent: RolloutListener;
}

// A rollout whose deadline passed while nobody watched still gets a look at the store.
const leastAdoptedTimeoutMs = 5_000;

interface AttemptEnd {
  attempt: number;
  inputId: string;
  sessionId: string;
  invocationId: string | undefined;
  resultKey: string | undefined;
  outcome: RolloutOutcome;
  timings: RolloutTimings;
  /** Undefined where this process began none. */
  rollout?: Rollout | undefined;
  /** A resume ended it: another attempt is due, whatever the policy says. */
  isRecalled: boolean;
}

/** One payload on its way to an outcome: a rollout, and further ones as far as the retry policy goes. */
export class PayloadRun {
  readonly index: number;
  readonly settled: Promise<BatchItem>;
  /** Resolves once the outcome is known and no session is left. */
  readonly finished: Promise<void>;
  readonly #payload: unknown;
  readonly #parts: PayloadRunParts;
  readonly #losing: LosingAttempt[] = [];
  readonly #retriesLeft: Record<RetriableOutcomeKind, number>;
  readonly #sessionIds = new Set<string>();
  /** Aborts when no further attempt is wanted. */
  readonly #last = new AbortController();
  #rollout: Rollout | undefined;

  constructor(payload: unknown, index: number, parts: PayloadRunParts) {
    this.index = index;
    this.#payload = payload;
    this.#parts = parts;
    this.#retriesLeft = { ...parts.retries };
    this.settled = this.#work();
    this.finished = this.settled.then(() => this.#rollout?.finished);
  }

  cancel(reason: unknown): void {
    this.endWithThisAttempt(rolloutCancelled(reason));
    this.#rollout?.cancel(reason);
  }

  expire(timeoutMs: number): void {
    this.endWithThisAttempt(
      new ArtError({
        code: 'ART_ROLLOUT_TIMEOUT',
        message: `No result within the ${timeoutMs} ms of the batch.`,
      }),
    );
    this.#rollout?.expire(timeoutMs);
  }

  /** Leaves everything as it is: another process has it now, or will. */
  abandon(reason: ArtError): void {
    this.endWithThisAttempt(reason);
    this.#rollout?.abandon(reason);
  }

  /** What runs is finished, and not tried again. */
  endWithThisAttempt(reason: ArtError): void {
    this.#last.abort(reason);
  }

  async #work(): Promise<BatchItem> {
    const { record } = this.#parts;
    const before = [...(record?.pastOf({ index: this.index }) ?? [])];
    const past = before.pop();
    for (const lost of before) this.#countPast(lost);
    let end = past === undefined ? await this.#attempt(0) : await this.#adopt(past);
    while (this.#shouldRetry(end)) {
      this.#addLosing(end);
      const next = end.attempt + 1;
      try {
        // The session of the attempt before must be gone first: the limit is on sessions alive.
        await this.#rollout?.finished;
        if (!end.isRecalled)
          await pause(this.#parts.retryDelayMs(next), {
            clock: this.#parts.clock,
            signal: this.#last.signal,
          });
        this.#last.signal.throwIfAborted();
      } catch {
        this.#losing.pop();
        break;
      }
      end = await this.#attempt(next);
    }
    return this.#toItem(end);
  }

  #shouldRetry({ outcome, sessionId, isRecalled }: AttemptEnd): boolean {
    if (this.#last.signal.aborted) return false;
    if (isRecalled) {
      if (outcome.kind !== 'ok' && outcome.kind !== 'cancelled') this.#retriesLeft[outcome.kind] -= 1;
      return true;
    }
    // What could not be sent at all would meet the same end again, and what was called off is not wanted.
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled' || sessionId === '') return false;
    return this.#retriesLeft[outcome.kind]-- > 0;
  }

  async #attempt(attempt: number): Promise<AttemptEnd> {
    const { start, choose, record, timeoutMs, onEvent } = this.#parts;
    const { index } = this;
    let choices: RolloutChoices = {};
    let rollout: Rollout;
    try {
      choices = choose(this.#payload, index, attempt);
      // A caller who chooses by payload alone names the same session twice; a new attempt must not share its key.
      if (choices.sessionId !== undefined && this.#sessionIds.has(choices.sessionId))
        choices = { ...choices, sessionId: undefined };
      const recorder = record?.recorder({ index, attempt }, this.#payload);
      rollout = start({ payload: this.#payload, index, choices, recorder, onEvent });
    } catch (error) {
      return this.#refused(attempt, choices, error);
    }
    return this.#watch(rollout, attempt, timeoutMs);
  }

  async #adopt(past: PastRollout): Promise<AttemptEnd> {
    const { record, start, choose, clock, timeoutMs, onEvent } = this.#parts;
    const { attempt, inputId, sessionId, attemptId: invocationId, resultKey, submittedAtMs } = past;
    this.#sessionIds.add(sessionId);
    const adoption = await this.#adoption(record!, past);
    if (adoption.kind !== 'goes_on') {
      if (!isLeftAlone(adoption.outcome)) this.#parts.dropCapture?.(sessionId);
      const settledMs =
        past.state.phase === 'settled'
          ? past.state.settledAtMs - submittedAtMs
          : clock.epochMs() - submittedAtMs;
      const timings = { submittedAtMs, acceptedMs: undefined, noticedMs: undefined, settledMs };
      const isRecalled = adoption.kind === 'recalled';
      const { outcome } = adoption;
      return { attempt, inputId, sessionId, invocationId, resultKey, outcome, timings, isRecalled };
    }
    const { beginning } = adoption;
    let rollout: Rollout;
    try {
      const { overrides } = beginning.kind === 'unsure' ? choose(this.#payload, this.index, attempt) : {};
      rollout = start({
        payload: this.#payload,
        index: this.index,
        choices: { overrides },
        past,
        beginning,
        recorder: record!.adoptedRecorder(past),
        onEvent,
      });
    } catch (error) {
      return this.#refused(attempt, { inputId }, error);
    }
    // Nobody knows whether a rollout that is sent again has begun, so it gets its full time.
    const spentMs = beginning.kind === 'accepted' ? clock.epochMs() - submittedAtMs : 0;
    const leftMs = Math.min(timeoutMs, timeoutMs - spentMs);
    return this.#watch(rollout, attempt, Math.max(leastAdoptedTimeoutMs, leftMs));
  }

  /** Until it is known how far it came, an end from outside is all there is to tell. */
  async #adoption(record: AttemptRecord, past: PastRollout): Promise<Adoption> {
    const { signal } = this.#last;
    try {
      const adoption = await record.adopt(past, signal);
      signal.throwIfAborted();
      return adoption;
    } catch (error) {
      if (!signal.aborted) throw error;
      const reason = signal.reason as ArtError;
      const kind = reason.code === 'ART_ROLLOUT_TIMEOUT' ? 'timeout' : 'cancelled';
      return { kind: 'over', outcome: { kind, error: reason } };
    }
  }

  async #watch(rollout: Rollout, attempt: number, timeoutMs: number): Promise<AttemptEnd> {
    this.#rollout = rollout;
    const { inputId, sessionId, attemptId: invocationId, resultKey } = rollout.request;
    this.#sessionIds.add(sessionId);
    const cancelDeadline = this.#parts.clock.after(timeoutMs, () => rollout.expire(this.#parts.timeoutMs));
    const outcome = await rollout.settled;
    cancelDeadline();
    const { timings } = rollout;
    const at = { inputId, sessionId, invocationId, resultKey };
    return { attempt, ...at, outcome, timings, rollout, isRecalled: false };
  }

  #refused(attempt: number, choices: RolloutChoices, error: unknown): AttemptEnd {
    const asArtError = ArtError.isInstance(error)
      ? error
      : new ArtError({
          code: 'ART_INVALID_PAYLOAD',
          message: `Payload ${this.index} could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
          cause: error,
        });
    const submittedAtMs = this.#parts.clock.epochMs();
    return {
      attempt,
      inputId: choices.inputId ?? '',
      sessionId: '',
      invocationId: undefined,
      resultKey: undefined,
      outcome: outcomeOfFailure(asArtError),
      timings: { submittedAtMs, acceptedMs: undefined, noticedMs: undefined, settledMs: 0 },
      isRecalled: false,
    };
  }

  /** An attempt that an earlier process made and gave up. */
  #countPast(past: PastRollout): void {
    const { attempt, sessionId, resultKey, state } = past;
    this.#sessionIds.add(sessionId);
    const kind = state.phase === 'settled' && state.outcome !== 'ok' ? state.outcome : 'cancelled';
    if (kind !== 'cancelled') this.#retriesLeft[kind] -= 1;
    this.#losing.push({ attempt, sessionId, resultKey, kind, error: recordedError(past) });
  }

  #addLosing({ attempt, sessionId, resultKey, outcome }: AttemptEnd): void {
    if (outcome.kind === 'ok') return;
    this.#losing.push({ attempt, sessionId, resultKey, kind: outcome.kind, error: outcome.error });
  }

  #toItem({ rollout, ...end }: AttemptEnd): BatchItem {
    const { index } = this;
    const attempts = this.#losing;
    const { record } = this.#parts;
    const { inputId, sessionId, invocationId, resultKey, outcome, timings, attempt } = end;
    const ids = { index, inputId, sessionId, invocationId, resultKey };
    const item = { ...ids, outcome, timings, attempt, attempts };
    return withMethods(item, {
      acknowledge: () => record?.acknowledge(index) ?? Promise.resolve(),
      trajectory: () => rollout?.trajectory() ?? Promise.resolve(emptyTrajectory(item)),
    });
  }
}
