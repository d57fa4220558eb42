import { type Clock, linkSignals, type LinkedSignal, systemClock } from '@art/async';

/** How long one invocation waits for room: its clock starts with the first refusal for quota. */
export class QuotaWait {
  readonly #limitMs: number;
  readonly #link: LinkedSignal;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => {};
  #isRefused = false;

  constructor(limitMs: number, signal: AbortSignal, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#link = linkSignals(signal);
  }

  /** For waiting only: when the time is up it aborts, and a call that is under way should not be cut off by that. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Notes a refusal; throws it when there is no time left to wait. */
  refused(error: Error): void {
    this.#link.signal.throwIfAborted();
    if (this.#limitMs === 0) throw error;
    if (!this.#isRefused) {
      this.#cancelTimer = this.#clock.after(this.#limitMs, () => this.#link.abort(error));
    }
    this.#isRefused = true;
  }

  end(): void {
    this.#cancelTimer();
    this.#link.unlink();
  }
}
