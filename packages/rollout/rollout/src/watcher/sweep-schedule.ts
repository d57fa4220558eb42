import { KnownDurations, type AwaitedResult } from './known-durations.ts';

/** Where the watcher is when it asks how long it may wait. Times are monotonic milliseconds. */
export interface ScheduleState {
  nowMs: number;
  /** When the last look began; undefined before the first. */
  lookedAtMs: number | undefined;
  /** When the next sweep is due, whatever is expected. */
  latestMs: number;
  outstanding: number;
  /** Some of what is outstanding, evenly chosen, the oldest ones among them. */
  rollouts: readonly AwaitedResult[];
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
// Forecasts may be wrong. This is all that may be spent, for each rollout, on looking sooner than at the lag bound.
const allowanceInHeads = 1.5;
const sampleCostInHeads = 2;
const shortestSampleMs = 50;
// Samples get rarer the longer nothing was found: the delay stays small beside what the rollouts take.
const sampleShareOfAge = 0.05;
// Weight of the newest sweep in the rate of results, and in the trust in forecasts.
const newest = 0.4;
// With fewer, a sample would be as dear as a sweep.
const fewestToSample = 8;

/**
 * When to look at the store next. At the lag bound at the latest; sooner once as many results are expected as pay for a
 * sweep: by how long rollouts take, or by the rate at which results come. Until the first is known, samples find out.
 */
export class SweepSchedule {
  readonly #lagBoundMs: number;
  readonly #durations = new KnownDurations();
  #resultsPerMs = 0;
  /** When the last look began after which nothing was left to be found: a sweep, or a sample that found nothing. */
  #barrenAtMs = Number.NEGATIVE_INFINITY;
  #foundSinceSweep = 0;
  /** Share of what was expected that came: while rollouts grow longer than any before, less than all. */
  #trust = 1;
  #expected = 0;
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

  /** A look that was begun at `askedAtMs` has found a result. */
  found({ sinceMs, absentAtMs }: AwaitedResult, askedAtMs: number): void {
    this.#foundSinceSweep += 1;
    // Of what came while the question was under way another look may say that it was not there: one instant for both.
    const upToMs = Math.max(absentAtMs, askedAtMs);
    // A sample speaks for those that were not asked for.
    const overMs = Math.min(upToMs, Math.max(absentAtMs, sinceMs, this.#barrenAtMs));
    this.#durations.add(overMs - sinceMs, upToMs - sinceMs);
  }

  /** The store has told of a result by itself. */
  pushed({ sinceMs }: AwaitedResult, atMs: number): void {
    this.#foundSinceSweep += 1;
    this.#durations.add(atMs - sinceMs, atMs - sinceMs);
  }

  next(state: ScheduleState): NextLook {
    const { nowMs, latestMs, costInHeads } = state;
    const sweepMs = this.#sampleHit ? nowMs : this.#forecast(state);
    const isAffordable = this.#extraCost(sweepMs, state) <= this.#allowance;
    const sweep: NextLook = { kind: 'sweep', atMs: isAffordable ? sweepMs : latestMs };
    const mustSample = !this.#durations.canForecast && !this.#sampleHit;
    if (!mustSample || state.outstanding < fewestToSample || costInHeads <= sampleCostInHeads) return sweep;
    const sampleMs = this.#sampleAt(state);
    return sampleMs < sweep.atMs && this.#allowance >= sampleCostInHeads
      ? { kind: 'sample', atMs: sampleMs }
      : sweep;
  }

  /** A look was begun, as planned in this state. */
  begun(look: NextLook, state: ScheduleState): void {
    this.#allowance -= look.kind === 'sample' ? sampleCostInHeads : this.#extraCost(look.atMs, state);
    this.#expected = this.#durations.canForecast ? this.#expectedAt(look.atMs, state) : 0;
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
    if (this.#expected >= 1)
      this.#trust += newest * (Math.min(1, this.#foundSinceSweep / this.#expected) - this.#trust);
    this.#barrenAtMs = atMs;
    this.#foundSinceSweep = 0;
  }

  #forecast(state: ScheduleState): number {
    const { nowMs, lookedAtMs = 0, latestMs } = state;
    const earliestMs = Math.max(nowMs, lookedAtMs + shortestIntervalMs);
    if (earliestMs >= latestMs || !this.#isWorthIt(latestMs, state)) return latestMs;
    if (this.#isWorthIt(earliestMs, state)) return earliestMs;
    let tooSoonMs = earliestMs;
    let enoughMs = latestMs;
    while (enoughMs - tooSoonMs > shortestIntervalMs / 4) {
      const middleMs = (tooSoonMs + enoughMs) / 2;
      if (this.#isWorthIt(middleMs, state)) enoughMs = middleMs;
      else tooSoonMs = middleMs;
    }
    return enoughMs;
  }

  #isWorthIt(atMs: number, state: ScheduleState): boolean {
    const { lookedAtMs = atMs, outstanding, costInHeads } = state;
    const needed = Math.min(costInHeads / headsPerResult, outstanding / 2);
    if (this.#resultsPerMs * (atMs - lookedAtMs) >= needed) return true;
    return this.#durations.canForecast && this.#trust * this.#expectedAt(atMs, state) >= needed;
  }

  #expectedAt(atMs: number, { rollouts, outstanding }: ScheduleState): number {
    return this.#durations.expectedAt(atMs, rollouts) * (outstanding / rollouts.length);
  }

  #sampleAt({ nowMs, lookedAtMs, rollouts }: ScheduleState): number {
    const oldestMs = Math.min(...rollouts.map(({ sinceMs }) => sinceMs));
    const fromMs = Math.max(oldestMs, lookedAtMs ?? oldestMs);
    return Math.max(nowMs, fromMs + Math.max(shortestSampleMs, (fromMs - oldestMs) * sampleShareOfAge));
  }

  /** By how much a sweep at `atMs` is dearer than one at the lag bound. */
  #extraCost(atMs: number, { latestMs, costInHeads }: ScheduleState): number {
    return costInHeads * Math.min(1, Math.max(0, (latestMs - atMs) / this.#lagBoundMs));
  }
}
