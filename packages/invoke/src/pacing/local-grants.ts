import Bottleneck from 'bottleneck';
import type { GrantSource } from './grant-source.ts';
import { paceHeadroom } from './pace.ts';

// Bottleneck times by the wall clock: after it is set back an hour, the next job would start in an hour.
const clockStepMs = 1_000;

/** Grants for this process alone, `intervalMs` apart. Holds no timer unless a grant is waited for. */
export class LocalGrants implements GrantSource {
  readonly #intervalMs: number;
  #limiter: Bottleneck;
  #lastMs = Number.NEGATIVE_INFINITY;
  #distanceTimer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
    this.#limiter = new Bottleneck({ minTime: intervalMs });
  }

  async next(): Promise<void> {
    await this.#nextJob();
    // Bottleneck makes up for a job that started late by starting the next one early; to the service that is a burst.
    const earlyMs = this.#lastMs + this.#intervalMs / paceHeadroom - performance.now();
    if (earlyMs > 0) {
      await new Promise<void>((resolve) => {
        this.#distanceTimer = setTimeout(resolve, Math.ceil(earlyMs));
      });
    }
    this.#lastMs = performance.now();
  }

  close(): void {
    clearTimeout(this.#distanceTimer);
    dropJobs(this.#limiter);
  }

  async #nextJob(): Promise<void> {
    const limiter = this.#limiter;
    await new Promise<void>((resolve) => {
      const watchdog = setTimeout(() => {
        if (this.#limiter === limiter) this.#limiter = new Bottleneck({ minTime: this.#intervalMs });
        dropJobs(limiter);
        resolve();
      }, this.#intervalMs + clockStepMs);
      limiter
        .schedule(async () => {
          clearTimeout(watchdog);
          resolve();
        })
        // Dropped: the watchdog has taken care of it, or nobody waits any more.
        .catch(() => clearTimeout(watchdog));
    });
  }
}

function dropJobs(limiter: Bottleneck): void {
  // A second stop is refused; there is nothing left to drop then.
  limiter.stop({ dropWaitingJobs: true }).catch(() => {});
}
