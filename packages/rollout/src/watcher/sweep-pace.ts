export interface SweepPaceOptions {
  /** Longest pause from one sweep to the next. */
  lagBoundMs: number;
  /** Longest pause while the store pushes. */
  pushedSweepIntervalMs: number;
}

/** What the last sweep came to. */
export interface SweepReport {
  /** From its start to its end. */
  tookMs: number;
  /** Since the start of the one before. */
  sinceLastMs: number;
  /** Results found by it, or pushed since the one before. */
  found: number;
  costInHeads: number;
}

// What noticing one result may cost where results come densely; more frequent sweeps than this buys are not worth it.
const headsPerResult = 1;
// Agents that answer at once fill every sweep, so that even this is cheap for each result.
const shortestIntervalMs = 25;
const shortestTimeoutMs = 2_000;
const longestTimeoutMs = 10_000;
const longestBackoffMs = 10_000;
// Weight of the newest sweep in the rate of results.
const newest = 0.4;

/**
 * How soon to look again, counted from the start of one sweep to the start of the next. Where results come at a rate that
 * pays for more frequent sweeps, sooner than the lag bound; else at the lag bound. While the store fails, later.
 */
export class SweepPace {
  readonly #options: SweepPaceOptions;
  #resultsPerMs = 0;
  #costInHeads = 0;
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

  succeeded(report: SweepReport): void {
    this.#failedSweeps = 0;
    this.#failedProbes = 0;
    this.#requestTimeoutMs = Math.max(shortestTimeoutMs, Math.min(longestTimeoutMs, report.tookMs * 4));
    const rate = report.found / Math.max(1, report.sinceLastMs);
    this.#resultsPerMs += newest * (rate - this.#resultsPerMs);
    this.#costInHeads = report.costInHeads;
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
      return Math.min(longestBackoffMs, this.#options.lagBoundMs * 2 ** (this.#failedSweeps - 1));
    if (isPushed) return this.#options.pushedSweepIntervalMs;
    const { lagBoundMs } = this.#options;
    if (this.#resultsPerMs === 0) return lagBoundMs;
    const affordableMs = this.#costInHeads / (this.#resultsPerMs * headsPerResult);
    return Math.min(lagBoundMs, Math.max(shortestIntervalMs, affordableMs));
  }
}
