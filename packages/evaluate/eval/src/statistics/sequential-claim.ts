import { BettingEvidence, claimBets } from './betting-evidence.ts';
import type { EndRule } from './bounded-mean.ts';

/** The chance of a wrong answer, at most. */
const tail = 0.05;
/** The stake that answers a claim. */
const answer = -Math.log(tail);

/** Ends of a mean, each with 95 %: where a claim is answered, the bound lies outside of them. */
export const claimEnds: EndRule = { tail, bets: claimBets };

/** Too few say nothing of the spread. */
const fewestToGiveUp = 10;

/** Standard errors that an effect has to reach at the end, and those by which the mean may be better than it looks. */
const needed = 3;
const hoped = 1.28;

/** `yes` and `no`: the claim, or its opposite, holds with 95 %. `futile`: the observations that are left will hardly show it. */
export type ClaimAnswer = 'yes' | 'no' | 'futile';

/**
 * Answers the claim that a mean lies above a bound, one observation after the other; it may be looked at after each of them. The answers `yes` and
 * `no` are wrong with a chance of at most 5 %, at whatever observation they come. Giving up does not touch that.
 */
export class SequentialClaim {
  readonly #bound: number;
  readonly #most: number | undefined;
  readonly #above: BettingEvidence;
  readonly #below: BettingEvidence;
  #count = 0;
  #sum = 0;
  #squares = 0;

  /** @param bound from 0 to 1 @param most observations that there can be; undefined where that is not known */
  constructor(bound: number, most: number | undefined) {
    this.#bound = bound;
    this.#most = most;
    this.#above = new BettingEvidence(bound);
    this.#below = new BettingEvidence(1 - bound);
  }

  /** @param value from 0 to 1 @returns the answer, once there is one */
  add(value: number): ClaimAnswer | undefined {
    this.#above.add(value);
    this.#below.add(1 - value);
    this.#count += 1;
    this.#sum += value;
    this.#squares += value * value;
    if (this.#above.log >= answer) return 'yes';
    if (this.#below.log >= answer) return 'no';
    return this.#isFutile ? 'futile' : undefined;
  }

  /** About how many observations would show the claim in all, if the mean is what it looks like; undefined where none would. */
  get wanted(): number | undefined {
    const effect = this.#mean - this.#bound;
    return effect > 0 && this.#count > 1
      ? Math.ceil((needed * this.#deviation) ** 2 / effect ** 2)
      : undefined;
  }

  get #isFutile(): boolean {
    if (this.#most === undefined || this.#count < fewestToGiveUp || this.#count >= this.#most) return false;
    const best = this.#mean + (hoped * this.#deviation) / Math.sqrt(this.#count);
    return (best - this.#bound) * Math.sqrt(this.#most) < needed * this.#deviation;
  }

  get #mean(): number {
    return this.#sum / this.#count;
  }

  get #deviation(): number {
    return Math.sqrt(Math.max(0, this.#squares - this.#count * this.#mean ** 2) / (this.#count - 1));
  }
}
