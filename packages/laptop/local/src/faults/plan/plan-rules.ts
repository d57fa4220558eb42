import { aNumber, custom, type OptionRule, refuseOption } from '@art/ground';

/** Longer timers wrap around to 1 ms. */
const longestMs = 2 ** 31 - 1;

export const aWholeNumber = (min: number, max?: number): OptionRule<number> =>
  aNumber({ min, max, integer: true });

/** One of several values; `where` says for what, before them. */
export function aChoice<Value extends string | number>(
  values: readonly Value[],
  where = '',
): OptionRule<Value> {
  const named = values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`;
  return custom(where + named, (given) => values.some((value) => value === given));
}

/** Rule for what may be a list: the message shows what is in it. */
export function shownRule<Value>(expected: string, fits: (value: unknown) => boolean): OptionRule<Value> {
  return (given, option) => {
    if (fits(given)) return given as Value;
    const also = Array.isArray(given) ? { advice: `It is ${JSON.stringify(given).slice(0, 80)}.` } : {};
    refuseOption(option, expected, given, also);
  };
}

/** One value that fits, or a list of such that is not empty. */
export function oneOrMore<Value>(
  expected: string,
  fits: (value: unknown) => boolean,
): OptionRule<Value | readonly Value[]> {
  return shownRule(`${expected}, or a list of them`, (given) => {
    const all: unknown[] = Array.isArray(given) ? given : [given];
    return all.length > 0 && all.every((one) => fits(one));
  });
}

/** A pair of whole numbers, the second not before the first. */
export function isRange(value: unknown, max = Number.MAX_SAFE_INTEGER): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return isWhole(from) && isWhole(to) && from <= to && to <= max;
}

/** A number of milliseconds, or a pair of them. */
export const aDuration = shownRule<number | readonly [number, number]>(
  'milliseconds as a whole number, or [least, most]',
  (given) => (isWhole(given) && given <= longestMs) || isRange(given, longestMs),
);

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
