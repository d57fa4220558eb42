import { describe, expect, it } from 'vitest';
import { ArtError } from './art-error.ts';
import { describeThrown } from './describe-thrown.ts';
import { describeValue } from './describe-value.ts';
import { readMember } from './read-member.ts';

class Unreadable extends Error {
  override get message(): string {
    throw new Error('no message for you');
  }
}

function revoked(target: object | (() => void) = {}): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

describe('a thrown value that throws when it is looked at', () => {
  it.each([
    ['a revoked Proxy', revoked()],
    ['a revoked Proxy of an error', revoked(new Error('x'))],
    ['a revoked Proxy of a list', revoked([])],
    ['a revoked Proxy of a function', revoked(() => undefined)],
    ['an error whose message throws', new Unreadable()],
    ['an object whose every member throws', new Proxy({}, { get: () => expect.unreachable() })],
  ])('%s can be told of all the same', (_name, thrown) => {
    expect(describeThrown(thrown).message).not.toBe('');
    expect(describeValue(thrown)).not.toBe('');
    expect(ArtError.isInstance(thrown)).toBe(false);
    expect(readMember(thrown, 'message')).toBeUndefined();
  });

  it('keeps what can be read of it', () => {
    expect(describeThrown(new Unreadable())).toMatchObject({
      name: 'Error',
      message: 'an instance of Unreadable',
    });
  });
});

it('describes errors and everything else', () => {
  expect(describeThrown(new TypeError('x'))).toEqual({
    name: 'TypeError',
    message: 'x',
    stack: expect.stringMatching(/^TypeError: x\n/) as string,
  });
  expect(describeThrown('text')).toEqual({ name: 'string', message: 'text', stack: undefined });
  expect(describeThrown(undefined).message).toBe('undefined');
});
