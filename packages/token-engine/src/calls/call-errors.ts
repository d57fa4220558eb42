import { ArtError } from '@art/protocol';

import { ApiError, apiErrorBody, type EngineReply } from '@art/gateway/engine-port';

/** A call that is at fault itself. */
export function badCall(message: string, param?: string, cause?: unknown): ApiError {
  return new ApiError({ status: 400, message, param }, cause);
}

/** An engine's answer that is of no use. */
export function engineFault(message: string, code: string, cause?: unknown): ApiError {
  return new ApiError({ status: 502, message, code }, cause);
}

/** An engine that cannot take answers apart. */
export function noEngineParser(what: string): ApiError {
  const message = `${what} Or name a tool call parser of the gateway instead of "engine".`;
  return new ApiError({ status: 501, message, code: 'engine_parser_unavailable' });
}

/** Failures of rendering that are the request's own fault. */
const requestFaults: ReadonlySet<string> = new Set([
  'ART_TEMPLATE_FAILED',
  'ART_UNSUPPORTED_MESSAGE',
  'ART_JSON_PARSE',
  'ART_GATEWAY_BAD_REQUEST',
]);

/** What a call failed with as the agent is told it; undefined for what is not ours to answer. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!ArtError.isInstance(error)) return undefined;
  const { message, code } = error;
  if (requestFaults.has(code)) return new ApiError({ status: 400, message, param: 'messages', code }, error);
  return code === 'ART_RENDER_FAILED' ? new ApiError({ status: 500, message, code }, error) : undefined;
}

/** OpenAI's error object. */
export function errorBody({ failure }: ApiError): string {
  return apiErrorBody('chat', failure);
}

export function jsonReply(status: number, body: string): EngineReply {
  return { status, headers: { 'content-type': 'application/json' }, body: once(Buffer.from(body)) };
}

/** A body in one piece. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
