import { ArtError, describeValue } from '@art/protocol';

/** @throws ArtError `ART_INVALID_OPTION`, naming the option, what was expected and what came. */
export function refuseOption(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected option ${name} to be ${expected}, got ${describeValue(got)}.`,
  });
}

/** @throws ArtError `ART_INVALID_OPTION` unless the value is undefined or a number in range. */
export function checkNumber(name: string, value: unknown, range: { above: number; integer?: boolean }): void {
  if (value === undefined) return;
  const isInRange = typeof value === 'number' && Number.isFinite(value) && value > range.above;
  if (isInRange && (range.integer !== true || Number.isInteger(value))) return;
  refuseOption(
    name,
    `${range.integer === true ? 'an integer' : 'a finite number'} greater than ${range.above}`,
    value,
  );
}
