import type { TranslatedWire } from './wire-translation.ts';

// https://docs.anthropic.com/en/api/errors
const messagesTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/**
 * An error body in a wire's shape, for use also where a request could not be translated at all.
 * @param type the wire's name for the kind of error. @default one that goes with the status
 */
export function wireErrorBody(
  wire: TranslatedWire,
  status: number,
  message: string,
  type?: string,
  param?: string,
): string {
  if (wire === 'messages') {
    return JSON.stringify({ type: 'error', error: { type: type ?? messagesErrorType(status), message } });
  }
  return JSON.stringify({
    error: { message, type: type ?? openaiErrorType(status), param: param ?? null, code: null },
  });
}

/** Anthropic's name for the kind of error that a status stands for. */
export function messagesErrorType(status: number): string {
  return messagesTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

function openaiErrorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
