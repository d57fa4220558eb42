import { randomUUID } from 'node:crypto';

/** The unique part of an id: 32 hexadecimal digits, which cannot be guessed. */
export function uniquePart(): string {
  return randomUUID().replaceAll('-', '');
}
