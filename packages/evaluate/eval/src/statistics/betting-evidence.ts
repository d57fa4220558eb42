/** Bets that are made at once: a share of the stake, and the part of it that bets this share. */
export type Bets = readonly (readonly [share: number, part: number])[];

/**
 * Bets about a claim. The part grows with the share: what some hundred tasks can show at all is large beside its spread, and a large share wins most by
 * it.
 */
export const claimBets: Bets = Array.from({ length: 16 }, (_, at) => [(at + 0.5) / 16, (at + 0.5) / 128]);

/**
 * The evidence that the mean of observations between 0 and 1 lies above a bound, taken one observation after the other: the stake that bets
 * against every mean up to the bound have made of 1. Whichever distribution has such a mean, the stake ever reaches 20 with a chance of at
 * most 5 %, however often it is looked at (Ville 1939; bets on bounded means: Waudby-Smith and Ramdas 2024, arXiv:2010.09686).
 */
export class BettingEvidence {
  readonly #bound: number;
  readonly #logs = claimBets.map(([, part]) => Math.log(part));

  /** @param bound from 0 to 1 */
  constructor(bound: number) {
    this.#bound = bound;
  }

  /** @param value from 0 to 1 */
  add(value: number): void {
    for (const [at, [share]] of claimBets.entries())
      this.#logs[at]! += value === this.#bound ? 0 : Math.log(1 - share + (share * value) / this.#bound);
  }

  /** Logarithm of the stake. Infinite once a value lies above a bound of 0. */
  get log(): number {
    const most = Math.max(...this.#logs);
    if (!Number.isFinite(most)) return most;
    return most + Math.log(this.#logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
  }
}
