import { ArtError } from '@art/ground';
import { traceContextField, type RolloutOutcome, type RuntimeEvent } from '@art/protocol';
import type { TraceContext } from '@art/ground/telemetry';
import {
  bodyOf,
  type LateFields,
  type RequestText,
  type RolloutAddress,
  type RolloutRequest,
} from '../request/rollout-request.ts';
import {
  isLeftAlone,
  mayHaveSession,
  outcomeOfFailure,
  rolloutCancelled,
  vanishedOutcome,
} from './outcome-of-failure.ts';
import type { ReadResult, Submission } from './result-source.ts';
import type { RolloutListener, RolloutDeps } from './rollout-deps.ts';
import {
  advanceRollout,
  rolloutTimings,
  type RolloutBeginning,
  type RolloutState,
  type RolloutTimings,
  type RolloutTransition,
} from './rollout-state.ts';
import type { RolloutCapture } from './rollout-capture.ts';
import { confirmedOutcome } from './unreachable-endpoint.ts';
import type { RolloutRecorder } from './rollout-recorder.ts';
import type { RolloutSpan } from './rollout-span.ts';
import type { StopResult } from './session-stops.ts';
import { submitRollout } from './submit-rollout.ts';

/** The options of a single rollout. */
export interface RolloutOptions {
  /** Which rollout of its run it is, for events. */
  index: number;
  member: number;
  attempt: number;
  /** @default none */
  onEvent?: RolloutListener | undefined;
  /** Called once, as soon as it may have left this process: from then on the machine of its session is at work, or about to be. */
  onLeaving?: (() => void) | undefined;
  /** @default none */
  recorder?: RolloutRecorder | undefined;
  /** @default none */
  capture?: RolloutCapture | undefined;
  /** @default none */
  span?: RolloutSpan | undefined;
  /** The session is somebody else's to stop. @default false */
  keepsSession?: boolean | undefined;
}

/**
 * One rollout from submission to the end of its session. It runs by itself from construction on; callers wait, cancel or
 * let it expire. Its session is stopped exactly once, whatever happens first.
 */
export class Rollout {
  readonly request: RolloutAddress;
  readonly settled: Promise<RolloutOutcome>;
  /** Resolves once nothing of this rollout is left: the outcome is known and the session was stopped, where there was one. */
  readonly finished: Promise<void>;

  readonly #options: Omit<RolloutOptions, 'onLeaving'>;
  readonly #deps: RolloutDeps;
  readonly #ending = new AbortController();
  readonly #submittedAtMs: number;
  /** Let go of once it was called: it may hold the payload. */
  #onLeaving: (() => void) | undefined;
  #text: RequestText | undefined;
  #state: RolloutState;
  /** As soon as something has left this process that could have started one. */
  #mayHaveSession: boolean;
  #stop: Promise<StopResult> | undefined;
  #stoppedMs: number | undefined;
  /** How long it had, once its own time has run out, and not that of the run. */
  #expiredMs: number | undefined;
  #throttled = 0;
  #resent = 0;

  constructor(
    request: RolloutRequest,
    beginning: RolloutBeginning,
    { onLeaving, ...options }: RolloutOptions,
    deps: RolloutDeps,
  ) {
    const { text, ...address } = request;
    this.request = address;
    this.#text = text;
    this.#options = options;
    this.#onLeaving = onLeaving;
    this.#deps = deps;
    if (beginning.kind === 'accepted' || beginning.kind === 'ready') options.capture?.adopt();
    const nowMs = deps.clock.nowMs();
    const epochMs = deps.clock.epochMs();
    this.#mayHaveSession = beginning.kind === 'ready' && beginning.hasSession;
    this.#submittedAtMs = beginning.kind === 'new' ? epochMs : beginning.submittedAtMs;
    // What an earlier process began is as old as it is; clocks of two machines may disagree, but not into the future.
    this.#state = { phase: 'submitting', submittedMs: nowMs - Math.max(0, epochMs - this.#submittedAtMs) };
    const { capture } = options;
    const working = this.#work(beginning);
    const bounded =
      capture?.isBounded === true
        ? working.then((outcome) => capture.bounded(outcome, this.#expiredMs))
        : working;
    this.settled = bounded.then((outcome) => {
      this.#advance({ type: 'settled', atMs: deps.clock.nowMs(), outcome });
      if (!this.#isLeftOpen(beginning, outcome))
        options.recorder?.settled(outcome, this.#hasSession(outcome));
      this.#emit({ type: 'settled', outcome });
      return outcome;
    });
    this.finished = this.settled.then(async (outcome) => {
      const captured = options.capture?.end(outcome);
      if (this.#hasSession(outcome)) await this.#stopSession();
      await captured;
      options.span?.end();
    });
  }

  get state(): RolloutState {
    return this.#state;
  }

  get timings(): RolloutTimings {
    return rolloutTimings(this.#state, this.#submittedAtMs, this.#stoppedMs);
  }

  /** How often the runtime was told to come back later. */
  get throttled(): number {
    return this.#throttled;
  }

  /** How often the runtime sent a call again. */
  get resent(): number {
    return this.#resent;
  }

  /** Kept or dropped at the end, which begins before anybody else hears of the outcome. */
  get capture(): RolloutCapture | undefined {
    return this.#options.capture;
  }

  /** The root of its trace, where it has one. */
  get traceContext(): TraceContext | undefined {
    return this.#options.span?.context;
  }

  /** The runtime reports what it does about a call of this rollout. */
  note(event: RuntimeEvent): void {
    if (event.type === 'throttled') this.#throttled += 1;
    if (event.type === 'retry') this.#resent += 1;
    this.#options.span?.note(event);
  }

  /** Ends the rollout; it settles as `cancelled` unless an outcome is already known. */
  cancel(reason?: unknown): void {
    this.end(rolloutCancelled(reason));
  }

  /** Ends the rollout because its deadline has passed; a result that is there after all still counts. */
  expire(timeoutMs: number): void {
    this.#expiredMs = timeoutMs;
    this.end(
      new ArtError({
        code: 'ART_ROLLOUT_TIMEOUT',
        message: `No result after ${timeoutMs} ms. Raise the timeout, or look for what the agent waits for in the log of session ${this.request.sessionId}.`,
      }),
    );
  }

  /** Ends the rollout with this error; what it says tells whether its session is left alone, see `isLeftAlone`. */
  end(error: ArtError): void {
    this.#ending.abort(error);
  }

  async #work(beginning: RolloutBeginning): Promise<RolloutOutcome> {
    const signal = this.#ending.signal;
    let read: ReadResult;
    try {
      const submission = await this.#submit(beginning, signal);
      read =
        submission.kind === 'ready'
          ? submission.read
          : await this.#deps.source.whenReady(
              {
                address: this.request,
                speaksRip: submission.speaksRip,
                isNew: beginning.kind === 'new',
              },
              signal,
            );
    } catch (error) {
      const isOutage = this.#options.capture?.isOutage(error) === true;
      if (isOutage) return outcomeOfFailure(error, true);
      if (signal.aborted) return this.#outcomeOfEnding(signal.reason as ArtError);
      return this.#deps.source.readFailure?.(this.request, error) ?? outcomeOfFailure(error);
    }
    this.#advance({ type: 'noticed', atMs: this.#deps.clock.nowMs() });
    this.#emit({ type: 'noticed' });
    try {
      return await confirmedOutcome(await read(signal), this.#options.capture, signal);
    } catch {
      return this.#outcomeOfEnding(signal.reason as ArtError);
    }
  }

  async #submit(beginning: RolloutBeginning, signal: AbortSignal): Promise<Submission> {
    if (beginning.kind === 'ready') return { ...beginning, isAnswer: false };
    if (beginning.kind === 'new') {
      await this.#options.recorder?.intended(this.request);
      signal.throwIfAborted();
    }
    let apiKey: string | undefined;
    if (beginning.kind !== 'accepted') {
      apiKey = await this.#options.capture?.open(signal);
      signal.throwIfAborted();
    }
    if (beginning.kind !== 'new') this.#leave();
    if (beginning.kind === 'accepted') {
      this.#noteAccepted({ type: 'adopted' });
      return { kind: 'accepted', speaksRip: beginning.speaksRip };
    }
    this.#emit({ type: beginning.kind === 'new' ? 'submitted' : 'adopted' });
    const { agentContext } = this.#options.span ?? {};
    const body = this.#takeBody({ api_key: apiKey, [traceContextField]: agentContext });
    const submission = await submitRollout({ ...this.request, body }, this.#deps, {
      signal,
      wasSentBefore: beginning.kind === 'unsure',
      onLeaving: () => this.#leave(),
    });
    if (submission.kind === 'accepted') this.#options.recorder?.accepted(submission.speaksRip);
    if (submission.kind === 'accepted' || submission.isAnswer) this.#noteAccepted({ type: 'accepted' });
    return submission;
  }

  #leave(): void {
    this.#mayHaveSession = true;
    this.#onLeaving?.();
    this.#onLeaving = undefined;
  }

  #noteAccepted(event: { type: 'accepted' | 'adopted' }): void {
    this.#advance({ type: 'accepted', atMs: this.#deps.clock.nowMs() });
    this.#options.capture?.accepted((error) => this.end(error));
    this.#emit(event);
  }

  async #outcomeOfEnding(reason: ArtError): Promise<RolloutOutcome> {
    // Its agent has the model of another process, or had it, and may be done.
    if (reason.code === 'ART_REACH_REFUSED')
      return (await this.#deps.source.lastLook(this.request)) ?? { kind: 'infra_error', error: reason };
    if (reason.code !== 'ART_ROLLOUT_TIMEOUT') return { kind: 'cancelled', error: reason };
    // What has never left has no result, and asking for one would start a session.
    const wasAccepted = this.#state.phase !== 'submitting';
    if (!this.#mayHaveSession && !wasAccepted) return this.#notAccepted(reason);
    const last = await this.#deps.source.lastLook(this.request);
    // Where it is not known whether the request arrived, "unknown to the session" does not mean that the session died, and a store
    // that fails explains nothing.
    if (last !== undefined && (wasAccepted || 'document' in last)) return last;
    if (!wasAccepted) return this.#notAccepted(reason);
    if (!this.#mayHaveSession || this.#options.keepsSession === true)
      return { kind: 'timeout', error: reason };
    const stopped = await this.#stopSession();
    // A session that took the work and is gone by itself has died: the runtime is the witness.
    if (stopped.kind !== 'not_found') return { kind: 'timeout', error: reason };
    return vanishedOutcome(this.request.sessionId, reason);
  }

  /** No agent has worked, so it was not slow: the way to it, or the room for it, failed. */
  #notAccepted(cause: ArtError): RolloutOutcome {
    if (this.#expiredMs === undefined) return { kind: 'timeout', error: cause };
    const isThrottled = this.#throttled > 0;
    const error = new ArtError({
      code: cause.code,
      message: `The session accepted nothing in the time of the rollout${isThrottled ? `, and the runtime asked ${this.#throttled} times to come back later` : ''}. ${cause.message}`,
      cause,
    });
    return { kind: isThrottled ? 'throttled' : 'lost', error };
  }

  // Payloads can be large and rollouts long: once the agent has it, nobody here needs it.
  #takeBody(found: LateFields): string {
    const text = this.#text;
    this.#text = undefined;
    return text === undefined ? '' : bodyOf(text, found);
  }

  #stopSession(): Promise<StopResult> {
    this.#stop ??= this.#stopOnce();
    return this.#stop;
  }

  async #stopOnce(): Promise<StopResult> {
    const result = await this.#deps.stops.stop(this.request.sessionId);
    this.#stoppedMs = this.#deps.clock.nowMs();
    this.#options.recorder?.stopped(result.kind);
    this.#emit({
      type: 'session_stopped',
      result: result.kind,
      ...(result.kind === 'failed' && { error: result.error }),
    });
    return result;
  }

  /** True if there may be a session that this rollout has to stop. */
  #hasSession(outcome: RolloutOutcome): boolean {
    return this.#mayHaveSession && this.#options.keepsSession !== true && mayHaveSession(outcome);
  }

  /**
   * True if the journal entry stays open for another process that takes the rollout over. A cancellation is recorded
   * only if nothing was sent.
   */
  #isLeftOpen(beginning: RolloutBeginning, outcome: RolloutOutcome): boolean {
    return isLeftAlone(outcome) && (beginning.kind !== 'new' || this.#mayHaveSession);
  }

  #advance(transition: RolloutTransition): void {
    this.#state = advanceRollout(this.#state, transition);
  }

  #emit(
    event:
      | { type: 'submitted' | 'adopted' | 'accepted' | 'noticed' }
      | { type: 'settled'; outcome: RolloutOutcome }
      | { type: 'session_stopped'; result: StopResult['kind']; error?: unknown },
  ): void {
    const { inputId, sessionId } = this.request;
    const { index, member, attempt } = this.#options;
    const atMs = this.#deps.clock.epochMs();
    const whole = { ...event, index, member, attempt, inputId, sessionId, atMs };
    this.#options.span?.note(whole);
    this.#options.onEvent?.(whole);
    this.#deps.emit(whole);
  }
}
