import { describe, expect, it } from 'vitest';
import { formatRipRequest, isInvocationId, parseRipRequest, type RipRequest } from './rip-request.ts';

const start = { version: 1, operation: 'start', invocation_id: 'inv-123' };

describe('a RIP request', () => {
  it.each([
    ['no object', 'text'],
    ['another member', { prompt: 'hi' }],
  ])('is not seen in a payload with %s', (_name, payload) => {
    expect(parseRipRequest(payload)).toBeUndefined();
  });

  it('runs in the foreground where nothing else is said', () => {
    expect(parseRipRequest({ _agentcore_runtime: start })).toEqual({
      operation: 'start',
      invocationId: 'inv-123',
      background: false,
    });
  });

  it.each<RipRequest>([
    { operation: 'start', invocationId: 'a', background: true },
    { operation: 'start', invocationId: 'a_-9', background: false },
    { operation: 'get', invocationId: 'a'.repeat(128) },
  ])('is read as it was written: %j', (request) => {
    expect(parseRipRequest({ _agentcore_runtime: formatRipRequest(request) })).toEqual(request);
  });

  it.each([
    ['null', null, 'to be an object, got null'],
    ['a list', [], 'to be an object, got an array'],
    ['a further field', { ...start, payload: {} }, 'has no field "payload"'],
    ['no version', { operation: 'start', invocation_id: 'a' }, 'version to be 1, got undefined'],
    ['version 2', { ...start, version: 2 }, 'version to be 1, got 2'],
    ['version true', { ...start, version: true }, 'version to be 1, got true'],
    ['version "1"', { ...start, version: '1' }, 'version to be 1, got "1"'],
    ['another operation', { ...start, operation: 'stop' }, 'operation to be "start" or "get", got "stop"'],
    ['no id', { version: 1, operation: 'get' }, 'invocation_id to be 1 to 128'],
    ['an id that leads elsewhere', { ...start, invocation_id: '../a' }, 'got "../a"'],
    ['an id with a line break', { ...start, invocation_id: 'a\n' }, 'got "a\\n"'],
    ['an id that is too long', { ...start, invocation_id: 'a'.repeat(129) }, '129 characters'],
    ['background that is no boolean', { ...start, background: 1 }, 'background to be a boolean, got 1'],
    ['background null', { ...start, background: null }, 'background to be a boolean, got null'],
    [
      'get with background',
      { ...start, operation: 'get', background: false },
      'background is only for "start"',
    ],
  ])('is refused with %s', (_name, envelope, reason) => {
    expect(() => parseRipRequest({ _agentcore_runtime: envelope })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_RIP_REQUEST',
        message: expect.stringContaining(reason) as string,
      }),
    );
  });

  it.each([
    ['a', true],
    ['', false],
    ['-a', false],
    ['a.b', false],
    ['ä', false],
  ])('takes %j as an id: %s', (id, isOne) => {
    expect(isInvocationId(id)).toBe(isOne);
  });
});
