import { linkSignals, systemClock } from '@art/async';
import {
  ArtError,
  refuseOption,
  RuntimeError,
  type AgentRuntime,
  type CallOptions,
  type InvocationAnswer,
  type InvocationOptions,
  type InvokeRequest,
  type RuntimeEvent,
  type StopOutcome,
} from '@art/protocol';
import { EventChannel } from '../event-channel.ts';
import {
  readPacedRuntimeOptions,
  type PacedRuntimeOptions,
  type PacedRuntimeSettings,
} from './paced-runtime-options.ts';
import type { Admission } from '../quota/quota-state.ts';
import { QuotaWait } from '../quota/quota-wait.ts';
import { holdingStopRetries, isInvokeRetried, isStopRetried, retrying } from '../retry/retrying.ts';
import { leaseBudgets, type BudgetLease, type RuntimeBudgets } from './runtime-budgets.ts';

/** One attempt of an invocation. */
interface Attempt {
  isRetry: boolean;
  quotaWait: QuotaWait;
  signal: AbortSignal;
  onLeaving: (() => void) | undefined;
}

/** A call that was sent. */
interface SentCall {
  operation: 'invoke' | 'stop';
  sessionId: string;
  opensSession: boolean;
  /** Monotonic milliseconds. */
  startedMs: number;
}

/**
 * Puts pacing and retries around any `AgentRuntime`.
 *
 * - A call that opens a session takes from both budgets, every other call from the data-plane budget only. Stops give way
 *   to invocations, for at most 2 s; then every second call is an overdue stop.
 * - Both budgets are upper bounds: what the service lets through is learnt from its 429s, see `LearntRate`.
 * - Invocations refused with 429 and 409 are sent again with full jitter, `retry-after` honoured.
 * - 402 pauses all new sessions of the budget: one is let in for each that ends, and one now and then to see.
 * - An invocation that may have been delivered (5xx, reset, time-out) is NOT sent again: look in the store first.
 *   Stops are idempotent, so they are, for as long as it takes.
 *
 * An aborted call leaves its queue at once and rejects with its signal's reason.
 */
export class PacedRuntime implements AgentRuntime, Disposable {
  readonly #runtime: AgentRuntime;
  readonly #settings: PacedRuntimeSettings;
  readonly #lease: BudgetLease;
  readonly #closing = new AbortController();
  readonly #events = new EventChannel<RuntimeEvent>();
  readonly #unsubscribe: () => void;

  /** @throws ArtError `ART_INVALID_OPTION`, also when `sharedKey` is in use with other rates */
  constructor(runtime: AgentRuntime, options: PacedRuntimeOptions = {}) {
    if (typeof runtime?.invoke !== 'function' || typeof runtime.stop !== 'function')
      refuseOption('runtime', 'an AgentRuntime', runtime);
    this.#settings = readPacedRuntimeOptions(options);
    this.#runtime = runtime;
    this.#lease = leaseBudgets(this.#settings.sharedKey, this.#settings);
    const { onEvent } = this.#settings;
    if (onEvent !== undefined) this.#events.subscribe(onEvent);
    this.#unsubscribe = this.#budgets.events.subscribe((event) => this.#events.emit(event));
  }

  /** As the wrapped runtime does: what waits for its turn here has not left. */
  get tellsLeaving(): boolean {
    return this.#runtime.tellsLeaving === true;
  }

  get isLocal(): boolean {
    return this.#runtime.isLocal === true;
  }

  /** @throws whatever the wrapped runtime throws */
  async check(options: CallOptions = {}): Promise<void> {
    await this.#runtime.check?.(options);
  }

  /**
   * @throws ArtError `ART_CLOSED`
   * @throws whatever the wrapped runtime throws once it is not sent again any more
   */
  async invoke(request: InvokeRequest, options: InvocationOptions = {}): Promise<InvocationAnswer> {
    const link = linkSignals(options.signal, this.#closing.signal);
    const { signal } = link;
    const quotaWait = new QuotaWait(this.#settings.quotaWaitMs, signal);
    const { onLeaving } = options;
    try {
      return await this.#retrying('invoke', request.sessionId, signal, (attempt) =>
        this.#untilRoom(request, { isRetry: attempt > 1, quotaWait, signal, onLeaving }),
      );
    } finally {
      quotaWait.end();
      link.unlink();
    }
  }

  /**
   * @throws ArtError `ART_CLOSED`
   * @throws whatever the wrapped runtime throws where sending again is hopeless; the signal's reason
   */
  async stop(sessionId: string, options: CallOptions = {}): Promise<StopOutcome> {
    const link = linkSignals(options.signal, this.#closing.signal);
    const { signal } = link;
    try {
      return await this.#retrying('stop', sessionId, signal, () => this.#stopOnce(sessionId, signal));
    } finally {
      link.unlink();
    }
  }

  /** Calls that wait for their turn, over all clients that share the budgets. */
  get waiting(): { newSessions: number; dataPlane: number } {
    const { newSessions, dataPlane } = this.#budgets;
    return { newSessions: newSessions.waiting, dataPlane: dataPlane.waiting };
  }

  /**
   * Rejects this client's waiting and running calls with `ART_CLOSED` and gives the budgets back. Other clients of the same
   * `sharedKey` go on.
   */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(
      new ArtError({
        code: 'ART_CLOSED',
        message: 'This PacedRuntime was closed; create another one to make further calls.',
      }),
    );
    this.#unsubscribe();
    this.#lease.release();
    this.#settings.onClose?.();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #budgets(): RuntimeBudgets {
    return this.#lease.budgets;
  }

  #retrying<T>(
    operation: 'invoke' | 'stop',
    sessionId: string,
    signal: AbortSignal,
    attempt: (attempt: number) => Promise<T>,
  ): Promise<T> {
    const { maxRetryAttempts, random } = this.#settings;
    const isInvoke = operation === 'invoke';
    return retrying(attempt, {
      retries: isInvoke ? maxRetryAttempts : Infinity,
      holdingRetries: isInvoke ? undefined : holdingStopRetries,
      isRetried: isInvoke ? isInvokeRetried : isStopRetried,
      random,
      signal,
      onRetry: ({ attempt: failed, delayMs, error }) =>
        this.#events.emit({
          type: 'retry',
          atMs: systemClock.epochMs(),
          operation,
          sessionId,
          attempt: failed,
          delayMs,
          code: error.code,
          message: error.message,
        }),
    });
  }

  /** One attempt; refusals for quota are waited out within it. */
  async #untilRoom(request: InvokeRequest, attempt: Attempt): Promise<InvocationAnswer> {
    for (;;) {
      try {
        return await this.#invokeOnce(request, attempt);
      } catch (error) {
        if (!isQuotaRefusal(error)) throw error;
        attempt.quotaWait.refused(error);
      }
    }
  }

  async #invokeOnce(request: InvokeRequest, attempt: Attempt): Promise<InvocationAnswer> {
    const { newSessions, dataPlane, quota, sessions } = this.#budgets;
    const { sessionId } = request;
    const { quotaWait, isRetry, signal, onLeaving } = attempt;
    // What was refused once has waited its turn already.
    const priority = isRetry || quotaWait.isRefused ? 'first' : 'normal';
    const turn = { priority, signal: quotaWait.signal } as const;
    const opensSession = !sessions.has(sessionId);
    const admission: Admission = opensSession ? await newSessions.take(turn) : 'open';
    let startedMs = 0;
    try {
      await dataPlane.take(turn);
      startedMs = systemClock.nowMs();
      const answer = await this.#runtime.invoke(request, { signal, onLeaving });
      quota.accepted(admission);
      sessions.add(sessionId);
      if (opensSession) newSessions.accepted();
      dataPlane.accepted();
      return answer;
    } catch (error) {
      if (isQuotaRefusal(error)) {
        sessions.delete(sessionId);
        quota.refused(admission, sessionId);
      } else if (RuntimeError.isInstance(error) && passedQuota(error)) {
        quota.accepted(admission);
      } else {
        quota.undecided(admission);
      }
      this.#noteThrottling(error, { operation: 'invoke', sessionId, opensSession, startedMs });
      throw error;
    }
  }

  async #stopOnce(sessionId: string, signal: AbortSignal): Promise<StopOutcome> {
    const { dataPlane, quota, sessions } = this.#budgets;
    await dataPlane.take({ priority: 'yielding', signal });
    const startedMs = systemClock.nowMs();
    try {
      const wasKnown = sessions.has(sessionId);
      const outcome = await this.#runtime.stop(sessionId, { signal });
      sessions.delete(sessionId);
      dataPlane.accepted();
      if (wasKnown || outcome.kind === 'stopped') quota.sessionEnded();
      return outcome;
    } catch (error) {
      this.#noteThrottling(error, { operation: 'stop', sessionId, opensSession: false, startedMs });
      throw error;
    }
  }

  #noteThrottling(error: unknown, call: SentCall): void {
    if (!RuntimeError.isInstance(error) || error.code !== 'ART_RUNTIME_THROTTLED') return;
    const { operation, sessionId, opensSession, startedMs } = call;
    const slowed = this.#budgets.refused({ opensSession, startedMs, retryAfterMs: error.retryAfterMs });
    this.#budgets.events.emit({
      type: 'throttled',
      atMs: systemClock.epochMs(),
      operation,
      sessionId,
      ...slowed,
    });
  }
}

/** Whether there was room for a session, whatever became of it. */
function passedQuota(error: RuntimeError): boolean {
  return error.delivery === 'delivered' || error.code === 'ART_RUNTIME_START_FAILED';
}

function isQuotaRefusal(error: unknown): error is RuntimeError {
  return RuntimeError.isInstance(error) && error.code === 'ART_RUNTIME_QUOTA';
}
