import { type Clock, systemClock } from '@art/async';
import Bottleneck from 'bottleneck';
import type { GrantSource } from './grant-source.ts';
import type { Pace } from './pace.ts';

// Bottleneck times by the wall clock: after it is set back an hour, the next job would start in an hour.
const clockStepMs = 1_000;

// A second at the service is not quite a second here. Less than what the pace has in hand, so that lateness is made up for.
const serviceSecond = 1.01;

// What a longer stall cost would come back as a burst.
const mostOwedMs = 250;

/**
 * Grants for this process alone. Holds no timer unless a grant is waited for.
 *
 * The mean rate survives late timers. Bottleneck starts the job after a late one early, but no earlier than it is asked for, and
 * counts on from there; the time lost in between is owed, and given back as grants at once. No second gets more for it, since every
 * grant waits until the last second has room.
 */
export class LocalGrants implements GrantSource {
  readonly pace: Pace;
  readonly #clock: Clock;
  /** When the grants of the last second came, the oldest at `#oldest`. */
  readonly #lastMs: number[];
  readonly #secondMs: number;
  #oldest = 0;
  #newestMs = -Infinity;
  /** For when bottleneck has the last job that it was asked for. */
  #slotMs = -Infinity;
  #owedMs = 0;
  #limiter: Bottleneck;
  #cancelWait: () => void = () => {};

  constructor(pace: Pace, clock: Clock = systemClock) {
    this.pace = pace;
    this.#clock = clock;
    const grantsPerSecond = Math.ceil(1_000 / pace.intervalMs);
    this.#secondMs = Math.max(1_000, (grantsPerSecond * pace.intervalMs) / serviceSecond);
    this.#lastMs = Array.from({ length: grantsPerSecond }, () => -Infinity);
    this.#limiter = this.#createLimiter();
  }

  async next(): Promise<void> {
    const { intervalMs } = this.pace;
    const askedMs = this.#clock.nowMs();
    // Time in which nobody asked is not owed.
    if (askedMs - this.#newestMs >= intervalMs) this.#owedMs = 0;
    else this.#owedMs += Math.max(0, askedMs - this.#slotMs - intervalMs);
    this.#slotMs = Math.max(this.#slotMs, askedMs - intervalMs);
    if (this.#owedMs >= intervalMs) {
      this.#owedMs = Math.min(this.#owedMs, mostOwedMs) - intervalMs;
    } else {
      this.#slotMs += intervalMs;
      await this.#nextJob();
    }
    const earlyMs = this.#lastMs[this.#oldest]! + this.#secondMs - this.#clock.nowMs();
    if (earlyMs > 0) {
      await new Promise<void>((resolve) => {
        this.#cancelWait = this.#clock.after(Math.ceil(earlyMs), resolve);
      });
    }
    this.#newestMs = this.#clock.nowMs();
    this.#lastMs[this.#oldest] = this.#newestMs;
    this.#oldest = (this.#oldest + 1) % this.#lastMs.length;
  }

  close(): void {
    this.#cancelWait();
    dropJobs(this.#limiter);
  }

  async #nextJob(): Promise<void> {
    const limiter = this.#limiter;
    await new Promise<void>((resolve) => {
      const cancelWatchdog = this.#clock.after(this.pace.intervalMs + clockStepMs, () => {
        if (this.#limiter === limiter) this.#limiter = this.#createLimiter();
        dropJobs(limiter);
        resolve();
      });
      limiter
        .schedule(async () => {
          cancelWatchdog();
          resolve();
        })
        // Dropped: the watchdog has taken care of it, or nobody waits any more.
        .catch(cancelWatchdog);
    });
  }

  #createLimiter(): Bottleneck {
    return new Bottleneck({ minTime: this.pace.intervalMs });
  }
}

function dropJobs(limiter: Bottleneck): void {
  // A second stop is refused; there is nothing left to drop then.
  limiter.stop({ dropWaitingJobs: true }).catch(() => {});
}
