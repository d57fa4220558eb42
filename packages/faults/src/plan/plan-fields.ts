import { ArtError, describeValue, isJsonObject } from '@art/protocol';

/** Longer timers wrap around to 1 ms. */
const longestMs = 2 ** 31 - 1;

/** The objects of a plan, read field by field: what nobody has asked for at the end was misspelt. */
export class PlanFields {
  readonly path: string;
  readonly #left: Map<string, unknown>;
  readonly #known: string[] = [];

  /** @throws ArtError `ART_INVALID_OPTION` for anything but an object. */
  constructor(value: unknown, path: string, expected: string) {
    if (!isJsonObject(value)) throw planError(path, expected, value);
    this.path = path;
    // A field that is undefined is a field that is not there, also where a checked plan is checked again.
    this.#left = new Map(Object.entries(value).filter(([, field]) => field !== undefined));
  }

  /** `undefined` for a field that is not there. */
  take(name: string): unknown {
    this.#known.push(name);
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    throw this.error(name, 'text that is not empty', value);
  }

  choice<Value extends string>(name: string, choices: readonly Value[]): Value | undefined {
    const value = this.take(name);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined) throw this.error(name, oneOf(choices), value);
    return found;
  }

  integer(name: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.take(name);
    if (value === undefined || isInteger(value, min, max)) return value;
    throw this.error(
      name,
      `a whole number ${max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `from ${min}`}`,
      value,
    );
  }

  /** A number of milliseconds, or a pair of them. */
  duration(name: string): number | readonly [number, number] | undefined {
    const value = this.take(name);
    if (value === undefined || isInteger(value, 0, longestMs)) return value;
    if (isRange(value) && value[1] <= longestMs) return value;
    throw this.error(name, 'milliseconds as a whole number, or [least, most]', value);
  }

  error(name: string, expected: string, got: unknown): ArtError {
    return planError(`${this.path}.${name}`, expected, got);
  }

  /** @throws ArtError `ART_INVALID_OPTION` where a field is left. */
  end(): void {
    const [name] = this.#left.keys();
    if (name === undefined) return;
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected \`${this.path}\` to have no field but ${this.#known.join(', ')}, got ${describeValue(name)}. Remove it or correct its name.`,
    });
  }
}

export function planError(path: string, expected: string, got: unknown): ArtError {
  // A list is best shown as it is.
  const shown = Array.isArray(got) ? JSON.stringify(got).slice(0, 80) : describeValue(got);
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected \`${path}\` to be ${expected}, got ${shown}.`,
  });
}

export function oneOf(choices: readonly (string | number)[]): string {
  return choices.length === 1 ? JSON.stringify(choices[0]) : `one of ${choices.join(', ')}`;
}

export function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** A pair of whole numbers, the second not before the first. */
export function isRange(value: unknown): value is readonly [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return isInteger(from, 0, Number.MAX_SAFE_INTEGER) && isInteger(to, from, Number.MAX_SAFE_INTEGER);
}
