/**
 * The clock of Redis, as seen from here. Bottleneck takes "now" from the process that asks, but the clocks of machines
 * differ, and a start that is booked by a clock that runs ahead makes everybody wait. Redis is everybody's clock.
 */
export class RedisClock {
  #offsetMs = 0;
  #trustedRoundTripMs = Infinity;

  /** Milliseconds since the Unix epoch, whole as bottleneck's scripts need them. */
  now(): number {
    return Math.round(Date.now() + this.#offsetMs);
  }

  /** Takes in one answer: the time it carried and how long the question and it were under way. */
  observe(redisNowMs: number, roundTripMs: number): void {
    // The error of one sample is at most half its round trip, so a slow one must not replace a quick one. What is
    // trusted grows with every sample that is passed over, or a clock that steps would never be followed.
    if (roundTripMs > this.#trustedRoundTripMs) {
      this.#trustedRoundTripMs = this.#trustedRoundTripMs * 1.5 + 1;
      return;
    }
    this.#trustedRoundTripMs = roundTripMs * 1.5 + 1;
    this.#offsetMs = redisNowMs - (Date.now() - roundTripMs / 2);
  }
}
