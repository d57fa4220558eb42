import { isJsonObject, refuseOption } from '@art/protocol';

/** Longer timers wrap around to 1 ms. */
const longestMs = 2 ** 31 - 1;

/** The objects of a plan, read field by field: what nobody has asked for at the end was misspelt. */
export class PlanFields {
  readonly path: string;
  readonly #left: Map<string, unknown>;
  readonly #known: string[] = [];

  /** @throws ArtError `ART_INVALID_OPTION` for anything but an object. */
  constructor(value: unknown, path: string, expected: string) {
    if (!isJsonObject(value)) refuseOption(path, expected, value);
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
    this.refuse(name, 'text that is not empty', value);
  }

  choice<Value extends string>(name: string, choices: readonly Value[]): Value | undefined {
    const value = this.take(name);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined) this.refuse(name, oneOf(choices), value);
    return found;
  }

  integer(name: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.take(name);
    if (value === undefined || isInteger(value, min, max)) return value;
    this.refuse(
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
    this.refuse(name, 'milliseconds as a whole number, or [least, most]', value);
  }

  refuse(name: string, expected: string, got: unknown): never {
    const also = Array.isArray(got) ? { advice: `It is ${JSON.stringify(got).slice(0, 80)}.` } : {};
    refuseOption(`${this.path}.${name}`, expected, got, also);
  }

  /** @throws ArtError `ART_INVALID_OPTION` where a field is left. */
  end(): void {
    const [name] = this.#left.keys();
    if (name === undefined) return;
    const advice = 'Remove it or correct its name.';
    refuseOption(this.path, `an object with no field but ${this.#known.join(', ')}`, name, { advice });
  }
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
