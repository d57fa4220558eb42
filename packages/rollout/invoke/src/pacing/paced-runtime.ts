import { linkSignals, systemClock, ArtError, refuseOption } from '@art/ground';
import {
  RuntimeError,
  type AgentRuntime,
  type CallOptions,
  type InvocationAnswer,
  type InvocationOptions,
  type InvokeRequest,
  type RuntimeEvent,
  type StopOutcome,
} from '@art/protocol';
import type { Subscription } from '../event-channel.ts';
import {
  readPacedRuntimeOptions,
  type PacedRuntimeOptions,
  type PacedRuntimeSettings,
} from './paced-runtime-options.ts';
import type { QuotaAdmission } from '../quota/quota-state.ts';
import { QuotaWait } from '../quota/quota-wait.ts';
import { holdingStopRetries, isInvokeRetried, isStopRetried, retrying } from '../retry/retrying.ts';
import type { PacingTurn } from './pacing-lane.ts';
import { leaseBudgets, type BudgetLease, type RuntimeBudgets, type BudgetedCall } from './runtime-budgets.ts';

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
  readonly #listener: Subscription<RuntimeEvent> | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, also when `sharedKey` is in use with other rates */
  constructor(runtime: AgentRuntime, options: PacedRuntimeOptions = {}) {
    if (typeof runtime?.invoke !== 'function' || typeof runtime.stop !== 'function')
      refuseOption('runtime', 'an AgentRuntime', runtime);
    this.#settings = readPacedRuntimeOptions(options);
    this.#runtime = runtime;
    this.#lease = leaseBudgets(this.#settings.sharedKey, this.#settings);
    const { onEvent } = this.#settings;
    this.#listener = onEvent && this.#budgets.events.subscribe(onEvent);
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
    const { onLeaving, onRefused } = options;
    const callOptions = { signal, onLeaving, onRefused };
    try {
      return await this.#retrying('invoke', request.sessionId, signal, async (attempt) => {
        for (;;) {
          // What was refused once has waited its turn already.
          const priority = attempt > 1 || quotaWait.isRefused ? 'first' : 'normal';
          try {
            return await this.#invokeOnce(request, { priority, signal: quotaWait.signal }, callOptions);
          } catch (error) {
            if (!isQuotaRefusal(error)) throw error;
            quotaWait.refused(error);
          }
        }
      });
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

  /** As the wrapped runtime does, under the data-plane budget. Nothing is sent again: anyone who needs a socket dials once more. */
  get openSocket(): AgentRuntime['openSocket'] {
    if (this.#runtime.openSocket === undefined) return undefined;
    return async (sessionId, { signal, query } = {}) => {
      const link = linkSignals(signal, this.#closing.signal);
      try {
        await this.#budgets.dataPlane.take({ priority: 'normal', signal: link.signal });
        return await this.#runtime.openSocket!(sessionId, { signal: link.signal, query });
      } finally {
        link.unlink();
      }
    };
  }

  /** Calls that wait for their turn, over all clients that share the budgets. */
  get waiting(): { newSessions: number; dataPlane: number } {
    const { newSessions, dataPlane } = this.#budgets;
    return { newSessions: newSessions.waiting, dataPlane: dataPlane.waiting };
  }

  /**
   * Rejects this client's waiting and running calls with `ART_CLOSED` and gives the budgets back. Other clients of the same
   * `sharedKey` continue.
   */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(
      new ArtError({
        code: 'ART_CLOSED',
        message: 'This PacedRuntime was closed; create another one to make further calls.',
      }),
    );
    this.#listener?.end();
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
        this.#listener?.emit({
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

  /** @param turn for waiting; the call itself has the signal of `options` */
  async #invokeOnce(
    request: InvokeRequest,
    turn: PacingTurn,
    options: InvocationOptions,
  ): Promise<InvocationAnswer> {
    const { newSessions, dataPlane, quota, sessions } = this.#budgets;
    const { sessionId } = request;
    const opensSession = !sessions.has(sessionId);
    const admission: QuotaAdmission = opensSession ? await newSessions.take(turn) : 'open';
    let startedMs = 0;
    try {
      await dataPlane.take(turn);
      startedMs = systemClock.nowMs();
      const answer = await this.#runtime.invoke(request, options);
      quota.apply({ kind: 'accepted', admission });
      sessions.add(sessionId);
      if (opensSession) newSessions.accepted();
      dataPlane.accepted();
      return answer;
    } catch (error) {
      if (RuntimeError.isInstance(error) && error.delivery === 'never') options.onRefused?.();
      if (isQuotaRefusal(error)) {
        sessions.delete(sessionId);
        quota.apply({ kind: 'refused', admission, sessionId });
      } else quota.apply({ kind: hasPassedQuota(error) ? 'accepted' : 'undecided', admission });
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
      if (wasKnown || outcome.kind === 'stopped') quota.apply({ kind: 'session_ended' });
      return outcome;
    } catch (error) {
      this.#noteThrottling(error, { operation: 'stop', sessionId, opensSession: false, startedMs });
      throw error;
    }
  }

  #noteThrottling(error: unknown, call: BudgetedCall): void {
    if (RuntimeError.isInstance(error) && error.code === 'ART_RUNTIME_THROTTLED')
      this.#budgets.refused(call, error.retryAfterMs);
  }
}

/** True if there was room for a session, whatever happened to it later. */
function hasPassedQuota(error: unknown): boolean {
  return (
    RuntimeError.isInstance(error) &&
    (error.delivery === 'delivered' || error.code === 'ART_RUNTIME_START_FAILED')
  );
}

function isQuotaRefusal(error: unknown): error is RuntimeError {
  return RuntimeError.isInstance(error) && error.code === 'ART_RUNTIME_QUOTA';
}
