import { type Clock, linkSignals, type LinkedSignal, systemClock } from '@art/ground';

/** How long one invocation waits for room: its clock starts with the first refusal for quota. */
export class QuotaWait {
  readonly #limitMs: number;
  readonly #signal: AbortSignal;
  /** Undefined where there is no limit. */
  readonly #link: LinkedSignal | undefined;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => {};
  #isRefused = false;

  constructor(limitMs: number, signal: AbortSignal, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#link = limitMs === Infinity ? undefined : linkSignals(signal);
    this.#signal = this.#link?.signal ?? signal;
  }

  /** For waiting only: when the time is up it aborts, and a call that is under way should not be cut off by that. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Notes a refusal; throws it when there is no time left to wait. */
  refused(error: Error): void {
    this.#signal.throwIfAborted();
    if (this.#limitMs === 0) throw error;
    const link = this.#link;
    if (!this.#isRefused && link !== undefined)
      this.#cancelTimer = this.#clock.after(this.#limitMs, () => link.abort(error));
    this.#isRefused = true;
  }

  end(): void {
    this.#cancelTimer();
    this.#link?.unlink();
  }
}
