import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { assertSessionId, isSessionId } from './session-id.ts';

it.each([
  [randomUUID(), true],
  ['a'.repeat(33), true],
  ['a'.repeat(256), true],
  ['a'.repeat(32), false],
  ['a'.repeat(257), false],
  [`-${'a'.repeat(40)}`, false],
  [`a/${'a'.repeat(40)}`, false],
  [`a\n${'a'.repeat(40)}`, false],
  ['', false],
])('isSessionId(%j) is %s', (value, expected) => {
  expect(isSessionId(value)).toBe(expected);
  if (expected) assertSessionId(value);
  else
    expect(() => assertSessionId(value)).toThrowError(
      expect.objectContaining({ code: 'ART_INVALID_SESSION_ID' }) as Error,
    );
});
