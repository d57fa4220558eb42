import { ArtError, RuntimeError, type RolloutOutcome } from '@art/protocol';
import type { ResultLocation, ResultStore } from '@art/store';
import type { RolloutEvent } from '../rollout-event.ts';
import type { RolloutAddress, RolloutRequest } from '../rollout-request.ts';
import type { Semaphore } from '../semaphore.ts';
import type { CompletionWatcher } from '../watcher/completion-watcher.ts';
import { fetchDocument } from './fetch-document.ts';
import { outcomeOfDocument } from './outcome-of-document.ts';
import { outcomeOfFailure } from './outcome-of-failure.ts';
import type { LateSessions } from './session-state/late-sessions.ts';
import { advanceRollout, type RolloutState, type RolloutTransition } from './rollout-state.ts';
import { rolloutTimings, type RolloutTimings } from './rollout-timings.ts';
import { stopSession, type StopResult, type StopSessionParts } from './stop-session.ts';
import { submitRollout } from './submit-rollout.ts';

/** What every rollout of a client works with. */
export interface RolloutParts extends StopSessionParts {
  store: ResultStore;
  watcher: CompletionWatcher;
  /** Undefined where sessions are not to be asked. */
  lateSessions: LateSessions | undefined;
  fetchLimit: Semaphore;
  /** How long a result that was noticed may stay unreadable. */
  fetchGiveUpMs: number;
}

export type RolloutListener = (event: RolloutEvent) => void;

// The last look at the store must not outlive its use: the deadline has already passed.
const lastLookMs = 5_000;

/**
 * One rollout from submission to the end of its session. It runs by itself from construction on; callers wait, cancel or
 * let it expire. Its session is stopped exactly once, whatever happens first.
 */
export class Rollout {
  readonly request: RolloutAddress;
  readonly index: number;
  /** Resolves once the agent has accepted, or the outcome is known. */
  readonly accepted: Promise<void>;
  readonly settled: Promise<RolloutOutcome>;
  /** Resolves once nothing of this rollout is left: the outcome is known and the session was stopped, where there was one. */
  readonly finished: Promise<void>;

  readonly #parts: RolloutParts;
  readonly #onEvent: RolloutListener;
  readonly #ending = new AbortController();
  readonly #submittedAtMs: number;
  #body: string | undefined;
  #state: RolloutState;
  #stop: Promise<StopResult> | undefined;

  constructor(request: RolloutRequest, index: number, parts: RolloutParts, onEvent: RolloutListener) {
    const { body, ...address } = request;
    this.request = address;
    this.#body = body;
    this.index = index;
    this.#parts = parts;
    this.#onEvent = onEvent;
    this.#submittedAtMs = parts.clock.epochMs();
    this.#state = { phase: 'submitting', submittedMs: parts.clock.nowMs() };
    const accepted = Promise.withResolvers<void>();
    this.accepted = accepted.promise;
    this.settled = this.#work(accepted.resolve).then((outcome) => {
      this.#advance({ type: 'settled', atMs: parts.clock.nowMs(), outcome });
      accepted.resolve();
      this.#emit({ type: 'settled', outcome });
      return outcome;
    });
    this.finished = this.settled.then(async (outcome) => {
      if (hasSession(outcome)) await this.#stopSession();
    });
  }

  get state(): RolloutState {
    return this.#state;
  }

  get timings(): RolloutTimings {
    return rolloutTimings(this.#state, this.#submittedAtMs);
  }

  /** Ends the rollout; it settles as `cancelled` unless an outcome is already known. */
  cancel(reason?: unknown): void {
    this.#ending.abort(
      new ArtError({
        code: 'ART_ROLLOUT_CANCELLED',
        message: 'The rollout was cancelled by its caller.',
        cause: reason,
      }),
    );
  }

  /** Ends the rollout because its deadline has passed; a result that is there after all still counts. */
  expire(timeoutMs: number): void {
    this.#ending.abort(
      new ArtError({
        code: 'ART_ROLLOUT_TIMEOUT',
        message: `No result after ${timeoutMs} ms. Raise the timeout, or look for what the agent waits for in the log of session ${this.request.sessionId}.`,
      }),
    );
  }

  async #work(onAccepted: () => void): Promise<RolloutOutcome> {
    const signal = this.#ending.signal;
    this.#emit({ type: 'submitted' });
    try {
      const submission = await submitRollout(
        { ...this.request, body: this.#takeBody() },
        this.#parts,
        signal,
      );
      if (submission.kind === 'accepted') {
        this.#advance({ type: 'accepted', atMs: this.#parts.clock.nowMs() });
        this.#emit({ type: 'accepted' });
        onAccepted();
        await this.#waitForResult(submission.answersState, signal);
      }
    } catch (error) {
      return signal.aborted
        ? this.#outcomeOfEnding(signal.reason as ArtError)
        : outcomeOfFailure(asArtError(error));
    }
    this.#advance({ type: 'noticed', atMs: this.#parts.clock.nowMs() });
    this.#emit({ type: 'noticed' });
    try {
      return outcomeOfDocument(
        await this.#parts.fetchLimit.run(signal, () =>
          fetchDocument(this.#location, { ...this.#parts, giveUpMs: this.#parts.fetchGiveUpMs }, signal),
        ),
      );
    } catch (error) {
      return signal.aborted ? this.#outcomeOfEnding(signal.reason as ArtError) : this.#unreadable(error);
    }
  }

  async #waitForResult(answersState: boolean, signal: AbortSignal): Promise<void> {
    const place = this.#parts.lateSessions?.add({
      address: this.request,
      answersState,
      onLost: (error) => this.#ending.abort(error),
    });
    try {
      await this.#parts.watcher.noticed(this.#location, signal);
      place?.noticed();
    } finally {
      place?.end();
    }
  }

  async #outcomeOfEnding(reason: ArtError): Promise<RolloutOutcome> {
    if (reason.code === 'ART_ROLLOUT_CANCELLED') return { kind: 'cancelled', error: reason };
    const text = await this.#lastLook();
    if (text !== undefined) return outcomeOfDocument(text);
    if (reason.code === 'ART_ROLLOUT_LOST') return { kind: 'lost', error: reason };
    const wasAccepted = this.#state.phase !== 'submitting';
    const stopped = await this.#stopSession();
    // A session that took the work and is gone by itself has died: the runtime is the witness.
    if (!wasAccepted || stopped.kind !== 'not_found') return { kind: 'timeout', error: reason };
    return {
      kind: 'lost',
      error: new ArtError({
        code: 'ART_ROLLOUT_LOST',
        message: `Session ${this.request.sessionId} ended without storing a result. Its log tells why: a crash, a kill, or a result that could not be stored.`,
        cause: reason,
      }),
    };
  }

  async #lastLook(): Promise<string | undefined> {
    const late = new AbortController();
    const cancel = this.#parts.clock.after(lastLookMs, () =>
      late.abort(new Error('the last look took too long')),
    );
    try {
      return await this.#parts.store.get(this.#location, { signal: late.signal });
    } catch {
      // The deadline is what the caller learns; a store that fails as well would have been reported by the watcher.
      return undefined;
    } finally {
      cancel();
    }
  }

  #unreadable(error: unknown): RolloutOutcome {
    return {
      kind: 'invalid_result',
      text: '',
      error: new ArtError({
        code: 'ART_STORE_FAILED',
        message: `The result ${JSON.stringify(this.request.resultKey)} was seen in bucket ${JSON.stringify(this.request.bucket)} but could not be read for ${this.#parts.fetchGiveUpMs} ms: ${(error as Error).message}`,
        cause: error,
      }),
    };
  }

  // Payloads can be large and rollouts long: once the agent has it, nobody here needs it.
  #takeBody(): string {
    const body = this.#body ?? '';
    this.#body = undefined;
    return body;
  }

  #stopSession(): Promise<StopResult> {
    this.#stop ??= this.#stopOnce();
    return this.#stop;
  }

  async #stopOnce(): Promise<StopResult> {
    const result = await stopSession(this.request.sessionId, this.#parts);
    this.#emit({
      type: 'session_stopped',
      result: result.kind,
      ...(result.kind === 'failed' && { error: result.error }),
    });
    return result;
  }

  get #location(): ResultLocation {
    return { bucket: this.request.bucket, key: this.request.resultKey };
  }

  #advance(transition: RolloutTransition): void {
    this.#state = advanceRollout(this.#state, transition);
  }

  #emit(
    event:
      | { type: 'submitted' | 'accepted' | 'noticed' }
      | { type: 'settled'; outcome: RolloutOutcome }
      | { type: 'session_stopped'; result: StopResult['kind']; error?: unknown },
  ): void {
    const { inputId, sessionId } = this.request;
    this.#onEvent({ ...event, index: this.index, inputId, sessionId, atMs: this.#parts.clock.epochMs() });
  }
}

/** Whether there may be a session to stop: not where the request was certainly never delivered. */
function hasSession(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'ok' || !RuntimeError.isInstance(outcome.error)) return true;
  // A conflict says that a session of this id is being set up.
  return outcome.error.delivery !== 'never' || outcome.error.code === 'ART_RUNTIME_CONFLICT';
}

function asArtError(error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  return new RuntimeError({
    code: 'ART_RUNTIME_UNAVAILABLE',
    delivery: 'unknown',
    message: `The runtime threw something that is no RuntimeError: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  });
}
