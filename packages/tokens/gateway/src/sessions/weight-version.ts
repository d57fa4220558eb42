/** A place in the row of what was announced. */
export type WeightMark = number;

/** Which weights the engines have, as the trainer announces it. */
export class WeightVersion {
  readonly #announced: number[] = [];

  get current(): number | undefined {
    return this.#announced.at(-1);
  }

  /** Where the announcements stand now. */
  mark(): WeightMark {
    return this.#announced.length;
  }

  /** The version in force at a mark, undefined where none was announced, and those that were announced since. */
  since(mark: WeightMark): readonly (number | undefined)[] {
    return [this.#announced[mark - 1], ...this.#announced.slice(mark)];
  }

  /** Whole numbers, texts of them, and what Python's `int()` makes of floats. @returns false if it is none of these */
  set(value: unknown): boolean {
    const version = toWholeNumber(value);
    if (version === undefined) return false;
    this.#announced.push(version);
    return true;
  }
}

function toWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined;
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  return undefined;
}
