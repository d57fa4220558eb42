import type { Clock } from '../async/clock.ts';

/** A clock that stands still until it is moved; its timers then run in order. */
export class ManualClock implements Clock {
  #nowMs = 1_000_000;
  readonly #timers = new Set<{ atMs: number; callback: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  epochMs(): number {
    return 1_750_000_000_000 + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ atMs }) => atMs <= untilMs)
        .toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
    }
    this.#nowMs = untilMs;
  }
}
