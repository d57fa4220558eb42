/**
 * Shares of the stake that are bet at once, each with a part of it that grows with the share: what some hundred tasks can show at all is large beside its
 * spread, and a large share wins most by it.
 */
const shares = Array.from({ length: 16 }, (_, at) => (at + 0.5) / 16);

/**
 * The evidence that the mean of observations between 0 and 1 lies above a bound, taken one observation after the other: the stake that bets
 * against every mean up to the bound have made of 1. Whichever distribution has such a mean, the stake ever reaches 20 with a chance of at
 * most 5 %, however often it is looked at (Ville 1939; bets on bounded means: Waudby-Smith and Ramdas 2024, arXiv:2010.09686).
 */
export class BettingEvidence {
  readonly #bound: number;
  readonly #logs = shares.map((share) => Math.log((2 * share) / shares.length));

  /** @param bound from 0 to 1 */
  constructor(bound: number) {
    this.#bound = bound;
  }

  /** @param value from 0 to 1 */
  add(value: number): void {
    for (const [at, share] of shares.entries())
      this.#logs[at]! += value === this.#bound ? 0 : Math.log(1 - share + (share * value) / this.#bound);
  }

  /** Logarithm of the stake. Infinite once a value lies above a bound of 0. */
  get log(): number {
    const most = Math.max(...this.#logs);
    if (!Number.isFinite(most)) return most;
    return most + Math.log(this.#logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
  }
}
