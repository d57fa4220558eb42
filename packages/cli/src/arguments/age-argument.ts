import { describeValue } from '@art/protocol';
import { InvalidArgumentError } from 'commander';

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads an age such as `7d`, `12h`, `90m` or `0s`, as milliseconds. */
export function ageArgument(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * unitMs[unit]!;
  throw new InvalidArgumentError(`Expected an age such as 7d, 12h, 90m or 30s, got ${describeValue(text)}.`);
}
