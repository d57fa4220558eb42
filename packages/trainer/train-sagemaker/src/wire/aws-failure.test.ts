import { expect, it } from 'vitest';
import { AwsFailure, readFailure } from './aws-failure.ts';

it.each([
  [0, true],
  [400, false],
  [403, false],
  [404, false],
  [408, true],
  [409, false],
  [429, true],
  [500, true],
  [503, true],
])('status %i may succeed later: %s', (status, isTransient) => {
  expect(new AwsFailure('', status, 'x').isTransient).toBe(isTransient);
});

it('reads the name of an error in the shapes of both protocols', () => {
  expect(readFailure(400, 'ThrottlingException:http://x', '{"message":"slow"}')).toMatchObject({
    kind: 'ThrottlingException',
    message: 'slow',
    isTransient: true,
  });
  expect(readFailure(400, null, '{"__type":"com.amazon#ResourceInUse","Message":"taken"}')).toMatchObject({
    kind: 'ResourceInUse',
    message: 'taken',
    isTransient: false,
  });
  expect(readFailure(408, null, '')).toMatchObject({ kind: '', isTransient: true });
});
