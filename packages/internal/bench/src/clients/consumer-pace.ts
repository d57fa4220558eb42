import { setTimeout as delay } from 'node:timers/promises';

// A timer is about a millisecond late; waiting for several items at once keeps the average right.
const shortestWaitMs = 10;

/** A consumer that takes so long for each item, on average. */
export class ConsumerPace {
  readonly #itemMs: number;
  #busyUntilMs = 0;

  constructor(itemMs: number) {
    this.#itemMs = itemMs;
  }

  async takeItem(): Promise<void> {
    if (this.#itemMs === 0) return;
    const nowMs = performance.now();
    this.#busyUntilMs = Math.max(nowMs, this.#busyUntilMs) + this.#itemMs;
    const waitMs = this.#busyUntilMs - nowMs;
    if (waitMs >= shortestWaitMs) await delay(waitMs);
  }
}
