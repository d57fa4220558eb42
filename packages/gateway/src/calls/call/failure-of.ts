import { ArtError } from '@art/protocol';
import { EngineUnreachable } from '../../engines/engine-transport.ts';
import { WireReplyError, WireRequestError } from '@art/model-wires';
import { ApiError, type ApiFailure } from '../../http/api-error.ts';
import type { Call } from './call.ts';

const artFailures: Record<string, { status: number; code: string }> = {
  ART_ENGINE_NO_WORKER: { status: 503, code: 'no_healthy_worker' },
  ART_GATEWAY_BAD_REQUEST: { status: 400, code: 'bad_request' },
  ART_GATEWAY_SESSION_GONE: { status: 410, code: 'session_gone' },
  ART_GATEWAY_STORE_FULL: { status: 503, code: 'trace_store_full' },
  ART_GATEWAY_STORE_FAILED: { status: 500, code: 'trace_store_failed' },
  ART_JSON_WRITE: { status: 400, code: 'bad_sampling_params' },
  ART_CLOSED: { status: 503, code: 'gateway_closing' },
};

/** What the agent is told of an error; undefined for one that nobody foresaw. */
export function failureOf(error: unknown, call: Call): ApiFailure | undefined {
  if (call.cancelledBecause === 'expired') {
    return {
      status: 504,
      message: `The engine had not answered after ${Math.round(call.elapsedMs / 1_000)} s, and the gateway gave up.`,
      code: 'gateway_timeout',
    };
  }
  if (call.cancelledBecause === 'closing') {
    return { status: 503, message: 'The gateway is closing.', code: 'gateway_closing' };
  }
  if (call.cancelledBecause === 'finished') {
    return {
      status: 410,
      message: 'The session was finished.',
      type: 'session_closed',
      code: 'session_gone',
    };
  }
  if (error instanceof ApiError) return error.failure;
  if (error instanceof EngineUnreachable) {
    return { status: 502, message: error.message, code: 'engine_unreachable' };
  }
  if (error instanceof WireRequestError) {
    return { status: error.status, message: error.message, param: error.param };
  }
  if (error instanceof WireReplyError) {
    return { status: 502, message: error.message, code: 'unreadable_reply' };
  }
  if (!ArtError.isInstance(error)) return undefined;
  const known = artFailures[error.code];
  return known === undefined ? undefined : { ...known, message: error.message };
}
