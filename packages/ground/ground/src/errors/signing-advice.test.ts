import { expect, it } from 'vitest';
import { signingAdvice } from './signing-advice.ts';

it.each([
  ['RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.'],
  ['RequestExpired', 'Request has expired'],
  ['InvalidSignatureException', 'Signature expired: 20261123T000000Z is now earlier than 20261123T010000Z'],
  ['InvalidSignatureException', 'Signature not yet current: 20261123T020000Z is still later than ...'],
])('blames the clock for %s: %s', (name, message) => {
  expect(signingAdvice(name, message)).toMatch(/clock.*\d{4}-\d\d-\d\dT/);
});

it.each(['SignatureDoesNotMatch', 'InvalidSignatureException', 'IncompleteSignature'])(
  'blames the secret key, or what changes requests, for %s',
  (name) => {
    expect(signingAdvice(name, 'The request signature we calculated does not match')).toMatch(
      /AWS_SECRET_ACCESS_KEY.*prox/,
    );
  },
);

it.each(['AccessDenied', 'ExpiredToken', 'NoSuchBucket'])('has nothing to say of %s', (name) => {
  expect(signingAdvice(name, 'The provided token has expired.')).toBeUndefined();
});
