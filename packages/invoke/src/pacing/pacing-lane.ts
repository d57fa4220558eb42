import type { GrantSource } from './grant-source.ts';
import { LearntRate } from './learnt-rate.ts';
import type { Pace } from './pace.ts';
import { longestRetryAfterMs } from '../retry/retry-rules.ts';
import { WaitingCalls, type CallPriority, type WaitingCall } from './waiting-calls.ts';

/** Decides when, and on what grounds, a call may pass, apart from the pace. */
export interface LaneGate<A> {
  onChange(listener: () => void): void;
  dueMs(nowMs: number): number;
  admit(nowMs: number): A | undefined;
}

export interface LaneOptions<A> {
  /** The most that the lane starts; less where the service refuses some. */
  callsPerSecond: number;
  pace: Pace;
  grants: GrantSource;
  gate: LaneGate<A>;
}

/**
 * One budget: calls wait here for their turn and start evenly paced.
 *
 * The queue is kept here and not in bottleneck, which is asked for one grant at a time: a waiting call can then
 * leave at once when it is aborted, calls can change order and the whole lane can be held, and none of this loses a
 * reserved start. The lane holds a timer only while calls wait.
 */
export class PacingLane<A> {
  readonly #pace: Pace;
  readonly #grants: GrantSource;
  readonly #gate: LaneGate<A>;
  readonly #rate: LearntRate;
  readonly #waiting = new WaitingCalls();
  #isGrantRequested = false;
  #credit = { calls: 0, expiresMs: 0 };
  #heldUntilMs = 0;
  #wakeTimer: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions<A>) {
    this.#rate = new LearntRate(options.callsPerSecond);
    this.#pace = options.pace;
    this.#grants = options.grants;
    this.#gate = options.gate;
    this.#gate.onChange(() => this.#advance());
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for the call's turn; rejects with the signal's reason and leaves the queue when that aborts. */
  async take(options: { priority: CallPriority; signal: AbortSignal }): Promise<A> {
    const { priority, signal } = options;
    signal.throwIfAborted();
    return new Promise<A>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.remove(call);
        if (this.#waiting.size === 0) this.#clearWakeTimer();
        reject(signal.reason as Error);
      };
      const call: WaitingCall = {
        priority,
        sinceMs: performance.now(),
        start: () => {
          signal.removeEventListener('abort', onAbort);
          // The lane only starts a call that the gate lets through.
          resolve(this.#gate.admit(performance.now()) as A);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(call);
      this.#advance();
    });
  }

  /** Calls that the lane starts per second at most: as given, or as learnt from refusals. */
  get callsPerSecond(): number {
    return this.#rate.perSecond;
  }

  /** Calls of the last second that were not refused. */
  get passedWithinSecond(): number {
    return this.#rate.passedWithinSecond(performance.now());
  }

  /**
   * The service refused a call under its rate limit. Slows the whole lane down: each waiting call would otherwise find out
   * for itself and use up its attempts.
   * @param startedMs when the call was sent, monotonic milliseconds
   * @param retryAfterMs how long the service wants to be left alone
   */
  refused(startedMs: number, retryAfterMs = 0): void {
    const nowMs = performance.now();
    this.#rate.refused(startedMs, nowMs);
    this.#heldUntilMs = Math.max(this.#heldUntilMs, nowMs + Math.min(retryAfterMs, longestRetryAfterMs));
  }

  /** The service took a call of this lane. */
  accepted(): void {
    this.#rate.accepted();
  }

  close(): void {
    this.#clearWakeTimer();
    this.#grants.close();
  }

  #advance(): void {
    this.#clearWakeTimer();
    while (this.#waiting.size > 0) {
      const now = performance.now();
      const due = Math.max(this.#heldUntilMs, this.#rate.dueMs(now), this.#gate.dueMs(now));
      if (due > now) {
        // At `Infinity` the gate speaks up by itself.
        if (due !== Infinity) this.#wakeTimer = setTimeout(() => this.#advance(), Math.ceil(due - now));
        return;
      }
      if (this.#credit.calls === 0 || now >= this.#credit.expiresMs) {
        this.#requestGrant();
        return;
      }
      this.#credit.calls -= 1;
      this.#rate.started(now);
      this.#waiting.shift(now)?.start();
    }
  }

  #requestGrant(): void {
    if (this.#isGrantRequested) return;
    this.#isGrantRequested = true;
    void this.#grants.next().then(() => {
      this.#isGrantRequested = false;
      const { callsPerGrant, intervalMs } = this.#pace;
      this.#credit = { calls: callsPerGrant, expiresMs: performance.now() + intervalMs };
      this.#advance();
    });
  }

  #clearWakeTimer(): void {
    clearTimeout(this.#wakeTimer);
    this.#wakeTimer = undefined;
  }
}
