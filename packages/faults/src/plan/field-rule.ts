/** What a field of a plan may be. */
export interface FieldRule {
  /** The end of the sentence "Expected the field to be". */
  expected: string;
  holds: (value: unknown) => boolean;
  isRequired?: boolean;
}

/** Longer timers wrap around to 1 ms. */
const longestMs = 2 ** 31 - 1;

/** For a field that is checked by itself. */
export const anything: FieldRule = { expected: 'anything', holds: () => true };

export const text: FieldRule = {
  expected: 'text that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
};

/** A number of milliseconds, or a pair of them. */
export const duration: FieldRule = {
  expected: 'milliseconds as a whole number, or [least, most]',
  holds: (value) => isInteger(value, 0, longestMs) || isRange(value, longestMs),
};

export function wholeNumber(min: number, max?: number): FieldRule {
  return {
    expected: `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`,
    holds: (value) => isInteger(value, min, max),
  };
}

export function choice(choices: readonly (string | number)[], where = ''): FieldRule {
  const named = choices.length === 1 ? JSON.stringify(choices[0]) : `one of ${choices.join(', ')}`;
  return { expected: where + named, holds: (value) => choices.some((one) => one === value) };
}

/** One that the inner rule holds for, or a list of such that is not empty. */
export function oneOrMore({ expected, holds }: FieldRule): FieldRule {
  return {
    expected: `${expected}, or a list of them`,
    holds: (value) => {
      const all = listOf(value);
      return all.length > 0 && all.every((one) => holds(one));
    },
  };
}

export function required(rule: FieldRule): FieldRule {
  return { ...rule, isRequired: true };
}

/** A list as it is, and anything else as a list of one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

export function isInteger(value: unknown, min: number, max: number = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** A pair of whole numbers, the second not before the first. */
export function isRange(value: unknown, max?: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return isInteger(from, 0, max) && isInteger(to, Number(from), max);
}
