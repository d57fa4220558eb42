import { refuseOption } from './refuse-option.ts';

/** What a numeric option may be: from `min`, or greater than `above`. */
export interface NumberRule {
  min?: number;
  above?: number;
  /** Largest value allowed; `Infinity` lets `Infinity` itself through. */
  max?: number;
  integer?: boolean;
}

/** @throws ArtError `ART_INVALID_OPTION` unless the value is undefined or fits the rule. */
export function checkNumber(name: string, value: unknown, rule: NumberRule): void {
  if (value === undefined) return;
  const { min = -Infinity, above = -Infinity, max = Number.MAX_VALUE, integer = false } = rule;
  const isNumber = typeof value === 'number' && (!integer || Number.isInteger(value) || value === Infinity);
  if (isNumber && value >= min && value > above && value <= max) return;
  const range =
    rule.above !== undefined
      ? `greater than ${above}`
      : rule.max === undefined
        ? `of at least ${min}`
        : `from ${min} to ${max}`;
  refuseOption(name, `${integer ? 'an integer' : 'a number'} ${range}`, value);
}
