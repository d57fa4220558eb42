/** Where the watcher is when it asks how long it may wait. Times are monotonic milliseconds. */
export interface ScheduleState {
  nowMs: number;
  /** When the last look began; undefined before the first. */
  lookedAtMs: number | undefined;
  /** When the next sweep is due, however results come. */
  latestMs: number;
  outstanding: number;
  /** Since when the oldest of what is outstanding is waited for. */
  oldestMs: number;
  /** Price of a sweep. */
  costInHeads: number;
}

/** A sweep asks for everything that is outstanding; a sample for two keys, to learn whether a sweep would find anything. */
export interface NextLook {
  kind: 'sweep' | 'sample';
  atMs: number;
}

// What noticing one result may cost where results come densely; more frequent sweeps than this buys are not worth it.
const headsPerResult = 1;
/** Agents that answer at once fill every sweep, so that even this is cheap for each result. */
export const shortestIntervalMs = 25;
// Rates may change. This is all that may be spent, for each rollout, on looking sooner than at the lag bound.
const allowanceInHeads = 1.5;
const sampleCostInHeads = 2;
const shortestSampleMs = 50;
// Samples get rarer the longer nothing was found: the delay stays small beside what the rollouts take.
const sampleShareOfAge = 0.05;
// Weight of the newest sweep in the rate of results.
const newest = 0.4;
// With fewer, a sample would be as dear as a sweep.
const fewestToSample = 8;

/**
 * When to look at the store next. At the lag bound at the latest; sooner once the rate at which results come lets so many be
 * expected as pay for a sweep. Samples find out whether any have come.
 *
 * A forecast from how long earlier rollouts took was measured and left out. Of rollouts of 20 s it saved 2 to 7 % of the requests and none
 * of the lag (p50 505 ms with, 477 ms without); of rollouts of 2 s, 8 or 64 at a time, up to 30 % of the requests, and half of the p99.
 */
export class SweepSchedule {
  readonly #lagBoundMs: number;
  #resultsPerMs = 0;
  /** When the last look began after which nothing was left to be found: a sweep, or a sample that found nothing. */
  #barrenAtMs = Number.NEGATIVE_INFINITY;
  #foundSinceSweep = 0;
  #allowance = 0;
  #sampleHit = false;
  #wasSampleHit = false;

  constructor(lagBoundMs: number) {
    this.#lagBoundMs = lagBoundMs;
  }

  /** One more is waited for. @param outstanding with it */
  added(outstanding: number): void {
    // What earlier rollouts have left over is no reason to spend it all at once.
    this.#allowance = Math.min(this.#allowance + allowanceInHeads, outstanding * allowanceInHeads);
  }

  /** A look has found a result, or the store has told of it by itself. */
  found(): void {
    this.#foundSinceSweep += 1;
  }

  next(state: ScheduleState): NextLook {
    const { nowMs, latestMs, costInHeads } = state;
    const sweepMs = this.#sampleHit ? nowMs : this.#worthItAt(state);
    const isAffordable = this.#extraCost(sweepMs, state) <= this.#allowance;
    const sweep: NextLook = { kind: 'sweep', atMs: isAffordable ? sweepMs : latestMs };
    if (this.#sampleHit || state.outstanding < fewestToSample || costInHeads <= sampleCostInHeads)
      return sweep;
    const sampleMs = sampleAt(state);
    return sampleMs < sweep.atMs && this.#allowance >= sampleCostInHeads
      ? { kind: 'sample', atMs: sampleMs }
      : sweep;
  }

  /** A look was begun, as planned in this state. */
  begun(look: NextLook, state: ScheduleState): void {
    this.#allowance -= look.kind === 'sample' ? sampleCostInHeads : this.#extraCost(look.atMs, state);
    this.#wasSampleHit = this.#sampleHit;
    this.#sampleHit = false;
  }

  /** A look that began at `atMs` is over, and the store has answered. */
  ended(kind: NextLook['kind'], atMs: number, found: number): void {
    if (kind === 'sample') {
      this.#sampleHit = found > 0;
      if (found === 0) this.#barrenAtMs = atMs;
      return;
    }
    // Time in which nothing was outstanding, or nothing came, says nothing about how often results come.
    const sinceMs = Math.max(this.#barrenAtMs, atMs - this.#lagBoundMs);
    const rate = this.#foundSinceSweep / Math.max(1, atMs - sinceMs);
    const weight = this.#wasSampleHit ? 1 : newest;
    this.#resultsPerMs += weight * (rate - this.#resultsPerMs);
    this.#barrenAtMs = atMs;
    this.#foundSinceSweep = 0;
  }

  /** When as many results will have come as pay for a sweep; at the lag bound at the latest. */
  #worthItAt({ nowMs, lookedAtMs, latestMs, outstanding, costInHeads }: ScheduleState): number {
    if (lookedAtMs === undefined || this.#resultsPerMs === 0) return latestMs;
    const needed = Math.min(costInHeads / headsPerResult, outstanding / 2);
    const enoughMs = lookedAtMs + Math.max(shortestIntervalMs, needed / this.#resultsPerMs);
    return Math.min(latestMs, Math.max(nowMs, enoughMs));
  }

  /** By how much a sweep at `atMs` is dearer than one at the lag bound. */
  #extraCost(atMs: number, { latestMs, costInHeads }: ScheduleState): number {
    return costInHeads * Math.min(1, Math.max(0, (latestMs - atMs) / this.#lagBoundMs));
  }
}

function sampleAt({ nowMs, lookedAtMs, oldestMs }: ScheduleState): number {
  const fromMs = Math.max(oldestMs, lookedAtMs ?? oldestMs);
  return Math.max(nowMs, fromMs + Math.max(shortestSampleMs, (fromMs - oldestMs) * sampleShareOfAge));
}
