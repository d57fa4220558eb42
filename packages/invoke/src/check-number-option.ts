import { refuseOption } from '@art/protocol';

/** What a numeric option may be. */
export interface NumberRule {
  /** Smallest value allowed. */
  min: number;
  /** Largest value allowed; `Infinity` lets `Infinity` itself through. */
  max: number;
  integer?: boolean;
}

/**
 * Checks one numeric option.
 * @throws ArtError `ART_INVALID_OPTION` that names the option, what was expected and what came.
 */
export function checkNumberOption(name: string, value: unknown, rule: NumberRule): number {
  const fits =
    typeof value === 'number' &&
    value >= rule.min &&
    value <= rule.max &&
    (rule.integer !== true || Number.isInteger(value) || value === Infinity);
  if (fits) return value;
  refuseOption(
    name,
    `${rule.integer === true ? 'an integer' : 'a number'} from ${rule.min} to ${rule.max}`,
    value,
  );
}
