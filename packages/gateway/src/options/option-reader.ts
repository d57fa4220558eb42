import { type ArtError, refuseOption } from '@art/protocol';

/** Reads the members of one options object and says of each what was expected and what came. */
export class OptionReader {
  readonly #values: Record<string, unknown>;
  readonly #prefix: string;

  /**
   * @param place how the object is called in messages, `` for the outermost one
   * @throws ArtError `ART_INVALID_OPTION` where it is no object or has a member that nobody knows
   */
  constructor(place: string, values: unknown, known: readonly string[]) {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw invalidOption(place === '' ? 'options' : place, 'an object', values);
    }
    this.#values = values as Record<string, unknown>;
    this.#prefix = place === '' ? '' : `${place}.`;
    for (const name of Object.keys(values)) {
      if (known.includes(name)) continue;
      throw invalidOption(this.#prefix + name, `one of ${known.join(', ')}`, name);
    }
  }

  whole(name: string, fallback: number, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
    const value = this.#values[name] ?? fallback;
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    throw this.#invalid(name, `a whole number from ${min} to ${max}`);
  }

  /** Milliseconds that a timer can hold; longer ones wrap around to 1 ms. */
  duration(name: string, fallback: number, min = 1): number {
    return this.whole(name, fallback, min, 2 ** 31 - 1);
  }

  above(name: string, fallback: number): number {
    const value = this.#values[name] ?? fallback;
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    throw this.#invalid(name, 'a number above 0');
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#values[name] ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.#invalid(name, 'true or false');
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    throw this.#invalid(name, 'text');
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.#values[name];
    if (value === undefined || allowed.includes(value as T)) return value as T | undefined;
    throw this.#invalid(name, `one of ${allowed.join(', ')}`);
  }

  #invalid(name: string, expected: string): ArtError {
    return invalidOption(this.#prefix + name, expected, this.#values[name]);
  }
}

export function invalidOption(option: string, expected: string, got: unknown): ArtError {
  return refuseOption(option, expected, got);
}
