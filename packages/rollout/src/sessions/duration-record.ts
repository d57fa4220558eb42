// Enough for a steady median, few enough to follow a run whose rollouts grow longer.
const remembered = 1_000;
const fewestToJudge = 20;

/** How long rollouts have taken lately, from their acceptance to the noticing of their results. */
export class DurationRecord {
  readonly #durationsMs: number[] = [];
  #next = 0;
  #sorted: number[] | undefined;

  add(durationMs: number): void {
    this.#durationsMs[this.#next] = durationMs;
    this.#next = (this.#next + 1) % remembered;
    this.#sorted = undefined;
  }

  /** Undefined while there are too few to judge by. */
  get medianMs(): number | undefined {
    if (this.#durationsMs.length < fewestToJudge) return undefined;
    this.#sorted ??= this.#durationsMs.toSorted((a, b) => a - b);
    return this.#sorted[Math.ceil(this.#sorted.length / 2) - 1];
  }
}
