import { describeValue } from '@art/ground';
import { InvalidArgumentError } from 'commander';

interface NumberRange {
  min: number;
  max?: number | undefined;
  /** Refuse fractions. @default true */
  whole?: boolean | undefined;
}

/** Reads an option that is a number; a text such as `1e3` or ` 5` is one, `5s` and nothing are not. */
export function numberArgument({ min, max, whole = true }: NumberRange): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const fits = Number.isFinite(value) && value >= min && (max === undefined || value <= max);
    if (fits && (!whole || Number.isSafeInteger(value))) return value;
    const upTo = max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(
      `Expected a ${whole ? 'whole ' : ''}number${upTo}, got ${describeValue(text)}.`,
    );
  };
}

/** Reads a port; 0 takes a free one. */
export const portArgument: (text: string) => number = numberArgument({ min: 0, max: 65_535 });

/** Reads how many there are to be, one at least. */
export function countArgument(max?: number): (text: string) => number {
  return numberArgument({ min: 1, max });
}

/** Reads how many may fail: a count, a share such as 0.2 or 20%, or `none` for no limit at all. */
export function failuresArgument(text: string): number {
  if (text === 'none') return Number.POSITIVE_INFINITY;
  const isPercent = text.endsWith('%');
  const value = /^\d+(\.\d+)?%?$/.test(text)
    ? Number(text.replace('%', '')) / (isPercent ? 100 : 1)
    : Number.NaN;
  const isShare = value > 0 && value < 1;
  if (isShare || (!isPercent && Number.isSafeInteger(value))) return value;
  throw new InvalidArgumentError(
    `Expected a count such as 5, a share such as 0.2 or 20%, or "none", got ${describeValue(text)}.`,
  );
}

/** Reads a duration in milliseconds, as long as a timer can be. */
export const durationArgument: (text: string) => number = countArgument(2 ** 31 - 1);

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads an age such as `7d`, `12h`, `90m` or `0s`, as milliseconds. */
export function ageArgument(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * unitMs[unit]!;
  throw new InvalidArgumentError(`Expected an age such as 7d, 12h, 90m or 30s, got ${describeValue(text)}.`);
}
