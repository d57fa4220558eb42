import { messagesError } from '../model-wires/messages/messages-errors.ts';
import type { ProxyEndpoint } from './proxy-path.ts';

/** A failed call, before it is written in the words of the agent's wire. */
export interface ApiFailure {
  status: number;
  message: string;
  /** OpenAI's `type`. @default what belongs to the status */
  type?: string | undefined;
  /** Stable name for programs, or the status itself where it cannot be sent any more. @default null on the wire */
  code?: string | number | undefined;
  /** The field of the request that is at fault. @default null on the wire */
  param?: string | undefined;
}

/** A call that cannot be served, with the answer to its agent. */
export class ApiError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** How our own errors are answered. `name` is the `code` that agents get; errors without one come from control routes only. */
export const ownErrors: Readonly<Record<string, { status: number; name?: string }>> = {
  ART_INVALID_OPTION: { status: 422 },
  ART_JSON_WRITE: { status: 422, name: 'bad_sampling_params' },
  ART_CLOSED: { status: 503, name: 'gateway_closing' },
  ART_ENGINE_NO_WORKER: { status: 503, name: 'no_healthy_worker' },
  ART_GATEWAY_BAD_REQUEST: { status: 400, name: 'bad_request' },
  ART_GATEWAY_STORE_FULL: { status: 503, name: 'capture_store_full' },
  ART_GATEWAY_STORE_FAILED: { status: 500, name: 'capture_store_failed' },
  ART_GATEWAY_SESSION_UNKNOWN: { status: 404 },
  ART_GATEWAY_SESSION_EXISTS: { status: 409 },
  ART_GATEWAY_SESSION_GONE: { status: 410, name: 'session_gone' },
};

const openAiTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  410: 'session_gone',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  502: 'upstream_error',
  503: 'service_unavailable',
  504: 'timeout_error',
};

/** The JSON of an error in the wire of an endpoint: Anthropic's for messages, OpenAI's for everything else. */
export function apiErrorBody(endpoint: ProxyEndpoint, failure: ApiFailure): string {
  const { status, message, code, param } = failure;
  if (endpoint === 'messages' || endpoint === 'count_tokens')
    return JSON.stringify(messagesError(status, message));
  const type = failure.type ?? openAiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return JSON.stringify({ error: { message, type, param: param ?? null, code: code ?? null } });
}

/** The same as an event of a stream that has begun. */
export function apiErrorEvent(endpoint: ProxyEndpoint, failure: ApiFailure): string {
  const body = apiErrorBody(endpoint, failure);
  return endpoint === 'messages' ? `event: error\ndata: ${body}\n\n` : `data: ${body}\n\n`;
}
