import Bottleneck from 'bottleneck';
import type { GrantSource } from './grant-source.ts';

// Bottleneck times by the wall clock: after it is set back an hour, the next job would start in an hour.
const clockStepMs = 1_000;

/** Grants for this process alone, `intervalMs` apart. Holds no timer unless a grant is waited for. */
export class LocalGrants implements GrantSource {
  readonly #intervalMs: number;
  #limiter: Bottleneck;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
    this.#limiter = new Bottleneck({ minTime: intervalMs });
  }

  async next(): Promise<void> {
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

  close(): void {
    dropJobs(this.#limiter);
  }
}

function dropJobs(limiter: Bottleneck): void {
  // A second stop is refused; there is nothing left to drop then.
  limiter.stop({ dropWaitingJobs: true }).catch(() => {});
}
