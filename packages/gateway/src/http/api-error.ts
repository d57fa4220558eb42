import { messagesError } from '@art/model-wires';
import type { ProxyEndpoint } from './proxy-path.ts';

/** What went wrong with a call, before it is written in the words of the agent's wire. */
export interface ApiFailure {
  status: number;
  message: string;
  /** OpenAI's `type`. @default what belongs to the status */
  type?: string | undefined;
  /** Stable name for programs, or the status itself where it cannot be sent any more. @default null on the wire */
  code?: string | number | undefined;
  /** The member of the request that is at fault. @default null on the wire */
  param?: string | undefined;
}

/** A call that cannot be served, with what the agent is told. */
export class ApiError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** The status of each of our own errors that has one; any other is a 500. */
export const errorStatuses: Readonly<Record<string, number>> = {
  ART_INVALID_OPTION: 422,
  ART_JSON_WRITE: 422,
  ART_CLOSED: 503,
  ART_ENGINE_NO_WORKER: 503,
  ART_GATEWAY_BAD_REQUEST: 400,
  ART_GATEWAY_STORE_FULL: 503,
  ART_GATEWAY_STORE_FAILED: 500,
  ART_GATEWAY_SESSION_UNKNOWN: 404,
  ART_GATEWAY_SESSION_EXISTS: 409,
  ART_GATEWAY_SESSION_GONE: 410,
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
