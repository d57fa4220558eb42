import type { Clock } from '@art/async';

/** A rate limit that lets a burst of one second through, as AWS's quotas do. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #tokens: number;
  #filledAtMs: number;

  constructor(perSecond: number, clock: Pick<Clock, 'nowMs'>) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#tokens = this.#capacity;
    this.#filledAtMs = clock.nowMs();
  }

  /** Takes a token where there is one. */
  tryTake(): boolean {
    const nowMs = this.#clock.nowMs();
    const earned = ((nowMs - this.#filledAtMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + earned);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  get #capacity(): number {
    return Math.max(1, this.#perSecond);
  }
}
