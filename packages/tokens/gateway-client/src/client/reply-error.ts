import { isJsonObject, jsonObjectIn, type ErrorCode } from '@art/ground';
import { GatewayError } from './gateway-error.ts';

/** The error for an answer that is not a success. */
export function replyError(call: string, status: number, body: string): GatewayError {
  return new GatewayError({
    code: codeOf(status),
    call,
    status,
    message: `the gateway answered ${status}: ${wordsOf(body)}`,
  });
}

function codeOf(status: number): ErrorCode {
  switch (status) {
    case 401:
    case 403:
      return 'ART_GATEWAY_DENIED';
    case 404:
      return 'ART_GATEWAY_NOT_FOUND';
    case 409:
    case 410:
      return 'ART_GATEWAY_CONFLICT';
    default:
      return 'ART_GATEWAY_REJECTED';
  }
}

/** The message in the shapes that gateways use: `{error: {message}}`, `{error}`, `{detail}`; else the beginning. */
function wordsOf(body: string): string {
  // What is no JSON is of a proxy on the way, most likely.
  const value = jsonObjectIn(body);
  const error = value?.['error'] ?? value?.['detail'];
  const message = isJsonObject(error) ? error['message'] : error;
  if (typeof message === 'string') return message;
  return body.length > 200 ? `${body.slice(0, 200)}...` : body;
}
