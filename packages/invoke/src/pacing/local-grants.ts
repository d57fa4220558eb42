import { type Clock, systemClock } from '@art/async';
import type { GrantSource, Pace } from './grant-source.ts';

// A late timer is made up for by this share of each gap and no more: on a busy machine calls leave some time after their grants, and a
// fifth of a gap was seen as 27 in a second at an endpoint that allows 25.
const mostMadeUp = 0.02;

/**
 * Grants for this process alone. Holds no timer unless a grant is waited for.
 *
 * A grant that came late is made up for by the next ones, which come a little early. That keeps the mean, and is let through where
 * the last second has room for it.
 */
export class LocalGrants implements GrantSource {
  readonly pace: Pace;
  readonly #clock: Clock;
  /** When the grants of the last second came, the oldest at `#oldest`. */
  readonly #lastMs: number[];
  readonly #secondMs: number;
  #oldest = 0;
  #newestMs = -Infinity;
  /** When the next one would come if none had been late. */
  #nextMs = -Infinity;
  #cancelWait: () => void = () => {};

  constructor(pace: Pace, clock: Clock = systemClock) {
    this.pace = pace;
    this.#clock = clock;
    const grantsPerSecond = Math.ceil(1_000 / pace.intervalMs);
    this.#secondMs = grantsPerSecond * pace.intervalMs;
    this.#lastMs = Array.from({ length: grantsPerSecond }, () => -Infinity);
  }

  async next(): Promise<void> {
    const { intervalMs } = this.pace;
    const dueMs = Math.max(
      this.#nextMs,
      this.#newestMs + intervalMs * (1 - mostMadeUp),
      this.#lastMs[this.#oldest]! + this.#secondMs,
    );
    const earlyMs = dueMs - this.#clock.nowMs();
    if (earlyMs > 0) {
      await new Promise<void>((resolve) => {
        this.#cancelWait = this.#clock.after(Math.ceil(earlyMs), resolve);
      });
    }
    const nowMs = this.#clock.nowMs();
    this.#newestMs = nowMs;
    // Nothing is made up for where nobody asked.
    this.#nextMs = Math.max(this.#nextMs, nowMs - intervalMs) + intervalMs;
    this.#lastMs[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % this.#lastMs.length;
  }

  close(): void {
    this.#cancelWait();
  }
}
