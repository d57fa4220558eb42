import { createHash } from 'node:crypto';
import { stringifyJson } from '@art/ground';

/** Stands for a value that is only compared, and is too long to be kept. */
export function digest(value: unknown): string {
  return createHash('sha256').update(stringifyJson(value)).digest('base64');
}
