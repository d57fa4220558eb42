import { type Clock, systemClock } from '@art/ground';
import Bottleneck from 'bottleneck';
import type { GrantSource, Pace } from './grant-source.ts';

// Bottleneck times by the wall clock: after it is set back an hour, the next job would start in an hour.
const clockStepMs = 1_000;

// A late timer is made up for by this share of a gap and no more: on a busy machine calls leave some time after their grants, and a
// fifth of a gap was seen as 27 in a second at an endpoint that allows 25.
const mostMadeUp = 0.02;

/**
 * Grants for this process alone. Holds no timer unless a grant is waited for.
 *
 * Bottleneck makes up for a job that started late by starting the next one early. That keeps the mean, and is let through where the
 * last second has room for it.
 */
export class LocalGrants implements GrantSource {
  readonly pace: Pace;
  readonly #clock: Clock;
  /** When the grants of the last second came, the oldest at `#oldest`. */
  readonly #lastMs: number[];
  readonly #secondMs: number;
  #oldest = 0;
  #newestMs = -Infinity;
  #limiter: Bottleneck;
  #cancelWait: () => void = () => {};

  constructor(pace: Pace, clock: Clock = systemClock) {
    this.pace = pace;
    this.#clock = clock;
    const grantsPerSecond = Math.ceil(1_000 / pace.intervalMs);
    this.#secondMs = grantsPerSecond * pace.intervalMs;
    this.#lastMs = Array.from({ length: grantsPerSecond }, () => -Infinity);
    this.#limiter = this.#createLimiter();
  }

  async next(): Promise<void> {
    await this.#nextJob();
    const dueMs = Math.max(
      this.#newestMs + this.pace.intervalMs * (1 - mostMadeUp),
      this.#lastMs[this.#oldest]! + this.#secondMs,
    );
    const earlyMs = dueMs - this.#clock.nowMs();
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
