import { describe, expect, it } from 'vitest';
import { messagesError } from './messages-errors.ts';

describe('messagesError', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [409, 'conflict_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('%d is %s', (status, type) => {
    expect(messagesError(status, 'm')).toEqual({ type: 'error', error: { type, message: 'm' } });
  });
});
