import type { EndpointClock } from './endpoint-clock.ts';

/** A quota on calls: so many a second, a burst of one second at most. */
export class CallRate {
  readonly #perSecond: number;
  readonly #clock: EndpointClock;
  #tokens: number;
  #filledAtMs: number;

  /** @param perSecond Infinity for no limit */
  constructor(perSecond: number, clock: EndpointClock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#tokens = Math.max(1, perSecond);
    this.#filledAtMs = clock.nowMs();
  }

  tryTake(): boolean {
    if (this.#perSecond === Number.POSITIVE_INFINITY) return true;
    const nowMs = this.#clock.nowMs();
    const earned = ((nowMs - this.#filledAtMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(Math.max(1, this.#perSecond), this.#tokens + earned);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
