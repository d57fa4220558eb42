import { readMember } from '../errors/read-member.ts';
import { refuseOption } from './refuse-option.ts';

/**
 * Reads one option: gives back what was given, or what stands for it where nothing was.
 * @throws ArtError `ART_INVALID_OPTION` that names the option
 */
export type OptionRule<Value> = (given: unknown, option: string) => Value;

/**
 * An option that has to be given and to fit.
 * @param expected what it has to be, as the end of a sentence
 */
export function custom<Value>(
  expected: string,
  fits: (value: unknown) => boolean,
): OptionRule<NonNullable<Value>> {
  return (given, option) =>
    fits(given) ? (given as NonNullable<Value>) : refuseOption(option, expected, given);
}

/** An option that may be left out, which `undefined` says too; then it is the fallback. */
export function optional<Value>(rule: OptionRule<Value>): OptionRule<Value | undefined>;
export function optional<Value, Fallback>(
  rule: OptionRule<Value>,
  fallback: Fallback,
): OptionRule<Value | Fallback>;
export function optional(rule: OptionRule<unknown>, fallback?: unknown): OptionRule<unknown> {
  return (given, option) => (given === undefined ? fallback : rule(given, option));
}

/** Allowed range of a number: from `min`, or greater than `above`. Finite, unless `max` says otherwise. */
export interface NumberRange {
  min?: number | undefined;
  above?: number | undefined;
  /** Largest value allowed; `Infinity` lets `Infinity` itself through. */
  max?: number | undefined;
  integer?: boolean | undefined;
}

export function aNumber(range: NumberRange = {}): OptionRule<number> {
  const { min = -Infinity, above = -Infinity, max = Number.MAX_VALUE, integer = false } = range;
  return custom(
    numberExpected(range),
    (value) =>
      typeof value === 'number' &&
      (!integer || Number.isInteger(value) || value === Infinity) &&
      value >= min &&
      value > above &&
      value <= max,
  );
}

function numberExpected({ min, above, max, integer = false }: NumberRange): string {
  const noun = integer ? 'integer' : 'number';
  const article = integer ? 'an' : 'a';
  if (above !== undefined) return `${article} ${noun} greater than ${above}`;
  if (max !== undefined) return `${article} ${noun} from ${min} to ${max}`;
  return min === undefined ? `a finite ${noun}` : `${article} ${noun} of at least ${min}`;
}

export const aBoolean: OptionRule<boolean> = custom('true or false', (value) => typeof value === 'boolean');

export const aText: OptionRule<string> = custom(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);

/** A string that a pattern matches. */
export function matching(expected: string, pattern: RegExp): OptionRule<string> {
  return custom(expected, (value) => typeof value === 'string' && pattern.test(value));
}

export function oneOf<const Value extends string>(...values: readonly Value[]): OptionRule<Value> {
  const quoted = values.map((value) => `'${value}'`);
  const others = quoted.slice(0, -1);
  const expected = [...(others.length > 0 ? [others.join(', ')] : []), ...quoted.slice(-1)].join(' or ');
  return custom(expected, (value) => values.includes(value as Value));
}

export function aFunction<Value>(): OptionRule<NonNullable<Value>> {
  return custom('a function', (value) => typeof value === 'function');
}

/** An object with a method, which is how a store or a client is known, also one of another copy of its package. */
export function withMethod<Value>(expected: string, method: string): OptionRule<NonNullable<Value>> {
  return custom(expected, (value) => typeof readMember(value, method) === 'function');
}

/** An object, whatever is in it. */
export function anyObject<Value>(): OptionRule<NonNullable<Value>> {
  return custom('an object', (value) => typeof value === 'object' && value !== null);
}

/** Not looked at here: somebody else checks it, or nothing could be wrong with it. */
export function unchecked<Value>(): OptionRule<Value> {
  return (given) => given as Value;
}
