import { aNumber, optional, type OptionRules } from '@art/protocol';

/** Sessions at once, found by trying: up while the runtime accepts, down when it throttles. */
export interface AdaptiveConcurrency {
  /** Where it begins. @default a quarter of `maxConcurrentSessions`, at least `floor` */
  start?: number | undefined;
  /** It never goes below this. @default 1 */
  floor?: number | undefined;
}

// Additive increase, multiplicative decrease, as TCP does it. Throttles come in bursts, and one burst is one message.
const decrease = 0.7;
const cooldownMs = 5_000;

/** The limit of a batch at this moment; fixed unless told to adapt. */
export class AdaptiveLimit {
  readonly #ceiling: number;
  readonly #floor: number;
  readonly #isAdaptive: boolean;
  #limit: number;
  #loweredAtMs = Number.NEGATIVE_INFINITY;

  /** @param ceiling `maxConcurrentSessions` of the batch */
  constructor(ceiling: number, adaptive: AdaptiveConcurrency | undefined) {
    this.#ceiling = ceiling;
    this.#isAdaptive = adaptive !== undefined;
    this.#floor = Math.min(ceiling, adaptive?.floor ?? 1);
    this.#limit =
      adaptive === undefined
        ? ceiling
        : Math.min(ceiling, Math.max(this.#floor, adaptive.start ?? Math.ceil(ceiling / 4)));
  }

  /** Sessions that may be alive now. */
  get current(): number {
    return Math.floor(this.#limit);
  }

  /** An agent has accepted: one more session for every limit-ful of them. */
  accepted(): void {
    if (this.#isAdaptive) this.#limit = Math.min(this.#ceiling, this.#limit + 1 / this.#limit);
  }

  /** The runtime has throttled, or has no room. */
  throttled(nowMs: number): void {
    if (!this.#isAdaptive || nowMs - this.#loweredAtMs < cooldownMs) return;
    this.#loweredAtMs = nowMs;
    this.#limit = Math.max(this.#floor, this.#limit * decrease);
  }
}

export const adaptiveConcurrencyRules = {
  start: optional(aNumber({ min: 1, integer: true })),
  floor: optional(aNumber({ min: 1, integer: true })),
} satisfies OptionRules<AdaptiveConcurrency>;
