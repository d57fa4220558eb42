/** Which weights the engines have, as the trainer announced it. A call keeps the version of the moment it arrived. */
export class WeightVersion {
  #current: number | undefined;

  get current(): number | undefined {
    return this.#current;
  }

  /** Whole numbers, texts of them, and what Python's `int()` makes of floats. @returns false if it is none of these */
  set(value: unknown): boolean {
    const version = toWholeNumber(value);
    if (version === undefined) return false;
    this.#current = version;
    return true;
  }
}

function toWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined;
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  return undefined;
}
