import type { TraceRange } from '../store/trace-store.ts';
import { InvalidField } from './invalid-field.ts';

/** Reads `since` (seconds since the Unix epoch) and `limit`. @throws InvalidField */
export function traceRange(since: unknown, limit: unknown): TraceRange {
  const range: TraceRange = {};
  if (since !== undefined && since !== null) {
    const seconds = toNumber(since);
    if (seconds === undefined) throw new InvalidField('since', 'a number of seconds', since);
    range.sinceMs = seconds * 1_000;
  }
  if (limit !== undefined && limit !== null) {
    const count = toNumber(limit);
    if (count === undefined || !Number.isInteger(count) || count < 0) {
      throw new InvalidField('limit', 'a whole number from 0', limit);
    }
    range.limit = count;
  }
  return range;
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
