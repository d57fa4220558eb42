// Enough for the shape of a batch's durations, few enough to follow rollouts that grow longer.
const remembered = 64;
const fewestToForecast = 8;
// Steps of this share of 1 fill an interval evenly, however many there are.
const goldenShare = 0.618_033_988_749_895;

/** The result of a rollout that is waited for. Times are monotonic milliseconds. */
export interface AwaitedResult {
  sinceMs: number;
  /** When the store was last asked for its result, and had none. */
  absentAtMs: number;
}

/**
 * How long rollouts have taken lately, and so when the next ones can be expected. A look at the store tells only between
 * which two instants a result came; the more often it is looked, the sharper the picture gets.
 */
export class KnownDurations {
  readonly #durationsMs: number[] = [];
  #count = 0;
  #sorted: number[] | undefined;

  /** True if enough durations are known for a forecast. */
  get canForecast(): boolean {
    return this.#durationsMs.length >= fewestToForecast;
  }

  /** One took longer than `overMs`, and no longer than `upToMs`. */
  add(overMs: number, upToMs: number): void {
    // Results of one sweep say the same of themselves; spread over the interval they stand for all that may be true.
    const share = (this.#count * goldenShare) % 1;
    this.#durationsMs[this.#count % remembered] = overMs + (upToMs - overMs) * share;
    this.#count += 1;
    this.#sorted = undefined;
  }

  /** Undefined while too little is known. */
  get medianMs(): number | undefined {
    return this.canForecast ? this.#inOrder[Math.ceil(this.#inOrder.length / 2) - 1] : undefined;
  }

  /** How many of the rollouts are expected to be there at an instant. */
  expectedAt(atMs: number, rollouts: readonly AwaitedResult[]): number {
    let expected = 0;
    for (const { sinceMs, absentAtMs } of rollouts)
      expected += this.#chance(Math.max(0, absentAtMs - sinceMs), Math.max(0, atMs - sinceMs));
    return expected;
  }

  /** The chance that one takes no longer than `upToMs`, given that it took longer than `overMs`. */
  #chance(overMs: number, upToMs: number): number {
    if (upToMs <= overMs) return 0;
    const over = countUpTo(this.#inOrder, overMs);
    const within = countUpTo(this.#inOrder, upToMs) - over;
    // One more than was seen: those few that took longest say little of many that take longer still.
    return within / (this.#inOrder.length - over + 1);
  }

  get #inOrder(): readonly number[] {
    this.#sorted ??= this.#durationsMs.toSorted((a, b) => a - b);
    return this.#sorted;
  }
}

function countUpTo(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
