/**
 * JSON that any parser reads: numbers that JSON does not have become the texts `NaN`, `Infinity` and `-Infinity`, and integers
 * past 2^53 become texts.
 */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, plain, indent);
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
