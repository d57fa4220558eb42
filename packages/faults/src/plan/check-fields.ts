import { isJsonObject, refuseOption } from '@art/protocol';
import type { FieldRule } from './field-rule.ts';

/**
 * The fields that an object of a plan has, copied. One that is undefined is not there, also where a checked plan is checked again.
 * @throws ArtError `ART_INVALID_OPTION` for anything but an object
 */
export function fieldsOf(value: unknown, path: string, expected: string): Record<string, unknown> {
  if (!isJsonObject(value)) refuseOption(path, expected, value);
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

/** @throws ArtError `ART_INVALID_OPTION`, naming the field, what was expected and what came */
export function checkField(
  fields: Record<string, unknown>,
  path: string,
  name: string,
  { expected, holds, isRequired = false }: FieldRule,
): void {
  const value = fields[name];
  if (value === undefined ? !isRequired : holds(value)) return;
  const also = Array.isArray(value) ? { advice: `It is ${JSON.stringify(value).slice(0, 80)}.` } : {};
  refuseOption(`${path}.${name}`, expected, value, also);
}

/**
 * Checks every field, and that there is no other: an unknown name was misspelt.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkFields(
  fields: Record<string, unknown>,
  path: string,
  rules: Readonly<Record<string, FieldRule>>,
): void {
  for (const [name, rule] of Object.entries(rules)) checkField(fields, path, name, rule);
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(rules, name));
  if (unknown === undefined) return;
  const known = Object.keys(rules).join(', ');
  const advice = 'Remove it or correct its name.';
  refuseOption(path, `an object with no field but ${known}`, unknown, { advice });
}
