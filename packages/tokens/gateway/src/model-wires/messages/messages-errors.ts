// Source: Claude API, "Errors" (https://platform.claude.com/docs/en/api/errors). It has neither 408 nor 410 nor 503: an overload
// is 529.
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  410: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** The body of an error on this wire, and the last event of a stream that failed. */
export function messagesError(status: number, message: string): { type: 'error'; error: object } {
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message } };
}
