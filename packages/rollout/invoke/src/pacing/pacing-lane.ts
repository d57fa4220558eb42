import { type Clock, systemClock } from '@art/ground';
import type { GrantSource } from './grant-source.ts';
import type { QuotaGate } from '../quota/quota-gate.ts';
import type { QuotaAdmission } from '../quota/quota-state.ts';
import { LearntRate } from './learnt-rate.ts';
import { longestRetryAfterMs } from '../retry/retrying.ts';
import { WaitingCalls, type CallPriority, type WaitingCall } from './waiting-calls.ts';

/** Decides when, and on what grounds, a call may pass, apart from the pace. */
export type LaneGate = Pick<QuotaGate, 'onChange' | 'dueMs' | 'admit'>;

/** How a call waits. */
export interface PacingTurn {
  priority: CallPriority;
  signal: AbortSignal;
}

export interface LaneOptions {
  /** The most that the lane starts; less where the service refuses some. */
  callsPerSecond: number;
  grants: GrantSource;
  /** @default none */
  gate?: LaneGate | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

/**
 * One budget: calls wait here for their turn and start evenly paced.
 *
 * The queue is kept here and not in bottleneck, which is asked for one grant at a time: a waiting call can then
 * leave at once when it is aborted, calls can change order and the whole lane can be held, and none of this loses a
 * reserved start. The lane holds a timer only while calls wait.
 */
export class PacingLane {
  readonly #grants: GrantSource;
  readonly #gate: LaneGate | undefined;
  readonly #clock: Clock;
  readonly #rate: LearntRate;
  readonly #waiting = new WaitingCalls();
  #isGrantRequested = false;
  #credit = { calls: 0, expiresMs: 0 };
  #heldUntilMs = 0;
  #cancelWake: () => void = () => {};

  constructor(options: LaneOptions) {
    this.#rate = new LearntRate(options.callsPerSecond);
    this.#grants = options.grants;
    this.#gate = options.gate;
    this.#clock = options.clock ?? systemClock;
    this.#gate?.onChange(() => this.#advance());
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for the call's turn; rejects with the signal's reason and leaves the queue when that aborts. */
  take({ priority, signal }: PacingTurn): Promise<QuotaAdmission> {
    return new Promise<QuotaAdmission>((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = (): void => {
        this.#waiting.remove(call);
        if (this.#waiting.size === 0) this.#cancelWake();
        reject(signal.reason as Error);
      };
      const call: WaitingCall = {
        priority,
        sinceMs: this.#clock.nowMs(),
        start: () => {
          signal.removeEventListener('abort', onAbort);
          // The lane only starts a call that the gate lets through.
          resolve(this.#gate?.admit(this.#clock.nowMs()) ?? 'open');
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
    return this.#rate.passedWithinSecond(this.#clock.nowMs());
  }

  /**
   * The service refused a call under its rate limit. Slows the whole lane down: each waiting call would otherwise find out
   * for itself and use up its attempts.
   * @param startedMs when the call was sent, monotonic milliseconds
   * @param retryAfterMs how long the service wants to be left alone
   */
  refused(startedMs: number, retryAfterMs = 0): void {
    const nowMs = this.#clock.nowMs();
    this.#rate.refused(startedMs, nowMs);
    this.#heldUntilMs = Math.max(this.#heldUntilMs, nowMs + Math.min(retryAfterMs, longestRetryAfterMs));
  }

  /** The service took a call of this lane. */
  accepted(): void {
    this.#rate.accepted();
  }

  close(): void {
    this.#cancelWake();
    this.#grants.close();
  }

  #advance(): void {
    this.#cancelWake();
    while (this.#waiting.size > 0) {
      const now = this.#clock.nowMs();
      const due = Math.max(this.#heldUntilMs, this.#rate.dueMs(now), this.#gate?.dueMs(now) ?? now);
      if (due > now) {
        // At `Infinity` the gate speaks up by itself.
        if (due !== Infinity)
          this.#cancelWake = this.#clock.after(Math.ceil(due - now), () => this.#advance());
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
      const { callsPerGrant, intervalMs } = this.#grants.pace;
      this.#credit = { calls: callsPerGrant, expiresMs: this.#clock.nowMs() + intervalMs };
      this.#advance();
    });
  }
}
