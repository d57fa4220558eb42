import { ArtError } from '@art/ground';
import { expect, it } from 'vitest';
import { RuntimeError } from './runtime-error.ts';

it('keeps code, cause and the name of its class', () => {
  const cause = new Error('root');
  const error = new RuntimeError({ code: 'ART_RUNTIME_QUOTA', delivery: 'never', message: 'full', cause });
  expect(error).toMatchObject({ code: 'ART_RUNTIME_QUOTA', name: 'RuntimeError', delivery: 'never' });
  expect(error.cause).toBe(cause);
  expect(RuntimeError.isInstance(error)).toBe(true);
  expect(RuntimeError.isInstance(new ArtError({ code: 'ART_INVALID_ARN', message: 'x' }))).toBe(false);
});
