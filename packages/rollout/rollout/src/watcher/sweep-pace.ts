import { growingPauseMs } from '@art/ground';
export interface SweepPaceOptions {
  /** Longest pause from one sweep to the next. */
  lagBoundMs: number;
  /** Longest pause while the store pushes. */
  pushedSweepIntervalMs: number;
}

const shortestTimeoutMs = 2_000;
const longestTimeoutMs = 10_000;
const longestBackoffMs = 10_000;

/**
 * How soon to look again at the latest, counted from the start of one sweep to the start of the next: at the lag bound;
 * while the store pushes or fails, later.
 */
export class SweepPace {
  readonly #options: SweepPaceOptions;
  #failedSweeps = 0;
  #failedProbes = 0;
  #requestTimeoutMs = shortestTimeoutMs;

  constructor(options: SweepPaceOptions) {
    this.#options = options;
  }

  /** Failed sweeps, and probes between them, in a row. */
  get failures(): number {
    return this.#failedSweeps + this.#failedProbes;
  }

  /** How long one request may take: a store that is merely slow gets more time after each time-out. */
  get requestTimeoutMs(): number {
    return this.#requestTimeoutMs;
  }

  /** @param tookMs from its start to its end */
  succeeded(tookMs: number): void {
    this.#failedSweeps = 0;
    this.#failedProbes = 0;
    this.#requestTimeoutMs = Math.max(shortestTimeoutMs, Math.min(longestTimeoutMs, tookMs * 4));
  }

  /** A small question between two sweeps failed: it makes the trouble longer, but whole sweeps no slower. */
  probeFailed(): void {
    this.#failedProbes += 1;
  }

  /** The store answers again, so that one more failure says no more than the first one did. */
  answered(): void {
    if (this.#failedSweeps <= 1) return;
    this.#failedProbes += this.#failedSweeps - 1;
    this.#failedSweeps = 1;
  }

  failed(): void {
    this.#failedSweeps += 1;
    this.#requestTimeoutMs = Math.min(longestTimeoutMs, this.#requestTimeoutMs * 1.5);
  }

  /** @param isPushed whether the store reports new keys by itself */
  intervalMs(isPushed: boolean): number {
    if (this.#failedSweeps > 0)
      return growingPauseMs(this.#failedSweeps, {
        firstMs: this.#options.lagBoundMs,
        longestMs: longestBackoffMs,
      });
    return isPushed ? this.#options.pushedSweepIntervalMs : this.#options.lagBoundMs;
  }
}
