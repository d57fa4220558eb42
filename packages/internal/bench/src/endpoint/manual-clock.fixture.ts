import type { EndpointClock } from './endpoint-clock.ts';

/** A clock that stands until it is told how far to go. */
export class ManualClock implements EndpointClock {
  #nowMs = 0;
  #waiting: { atMs: number; callback: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** How many callbacks are due some time. */
  get waiting(): number {
    return this.#waiting.length;
  }

  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const [next] = this.#waiting.toSorted((left, right) => left.atMs - right.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#nowMs = next.atMs;
      next.callback();
    }
    this.#nowMs = untilMs;
  }
}
