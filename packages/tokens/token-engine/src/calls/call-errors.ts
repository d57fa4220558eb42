import { ArtError } from '@art/ground';
import { ApiError } from '@art/gateway/engine-port';

/** A call that is at fault itself. */
export function badCall(message: string, param?: string, cause?: unknown): ApiError {
  return new ApiError({ status: 400, message, param }, cause);
}

/** Failures of rendering that are the request's own fault. */
const requestFaults: ReadonlySet<string> = new Set([
  'ART_TEMPLATE_FAILED',
  'ART_UNSUPPORTED_MESSAGE',
  'ART_JSON_PARSE',
  'ART_GATEWAY_BAD_REQUEST',
]);

/** The answer to the agent for a call that failed; undefined for what is not ours to answer. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!ArtError.isInstance(error)) return undefined;
  const { message, code } = error;
  if (requestFaults.has(code)) return new ApiError({ status: 400, message, param: 'messages', code }, error);
  return code === 'ART_RENDER_FAILED' ? new ApiError({ status: 500, message, code }, error) : undefined;
}
