import { refuseOption } from '@art/protocol';

export { refuseOption };

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
