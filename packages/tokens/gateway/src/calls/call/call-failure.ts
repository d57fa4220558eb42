import { ArtError } from '@art/ground';
import { WireReplyError } from '../../model-wires/chat/wire-reply-error.ts';
import { WireRequestError } from '../../model-wires/chat/wire-request-error.ts';
import { EngineUnreachable } from '../../engines/engine-transport.ts';
import { ApiError, apiErrorBody, apiErrorEvent, type ApiFailure, ownErrors } from '../../http/api-error.ts';
import { overflowCode } from '../../http/context-overflow.ts';
import type { ReceivedCall } from './call.ts';
import type { StageServices } from './gateway-services.ts';

/** Answers the agent with an error, with its status where none was sent yet, and otherwise within the body. */
export function reportFailure(
  services: StageServices,
  call: ReceivedCall,
  error: unknown,
  sessionId?: string,
): void {
  if (call.life.cancelledBecause === 'client_gone') {
    services.metrics.error('client_gone');
    return;
  }
  let failure = failureOf(error, call);
  if (failure === undefined) {
    services.log.error({ err: error, sessionId }, 'call failed unexpectedly');
    failure = { status: 500, message: 'Internal error of the gateway; its log has the details.' };
  }
  services.metrics.error(String(failure.code ?? failure.status));
  sendFailure(call, failure);
}

/** As {@link reportFailure}, for a failure that is known. */
export function sendFailure({ reply, target, life }: ReceivedCall, failure: ApiFailure): void {
  if (reply.state === 'open') {
    const headers = { 'content-type': 'application/json' };
    reply.send(failure.status, headers, apiErrorBody(target.endpoint, failure));
    return;
  }
  // Behind a heartbeat nothing of an answer has gone out: the agent may try again, and it is no turn.
  if (!reply.hasBegun) life.failed = true;
  life.brokeOff = true;
  const isInMidAnswer = reply.hasBegun && life.cancelledBecause !== 'expired';
  const shown = isInMidAnswer ? failure : lateFailure(failure);
  reply.end(
    reply.isEventStream ? apiErrorEvent(target.endpoint, shown) : apiErrorBody(target.endpoint, shown),
  );
}

// Under the status 200 that a heartbeat has sent, the type has to say that this is no answer. The code is then the status
// that could not be sent, as in rllm-model-gateway, whose readers look for it there.
function lateFailure(failure: ApiFailure): ApiFailure {
  if (failure.code === overflowCode) return failure;
  const type = failure.status === 504 ? 'gateway_upstream_timeout' : 'gateway_upstream_error';
  return { ...failure, type, code: failure.status };
}

/** The failure that the agent is shown; undefined for an unforeseen error. */
export function failureOf(error: unknown, call: ReceivedCall): ApiFailure | undefined {
  switch (call.life.cancelledBecause) {
    case 'expired': {
      const seconds = Math.round(call.meter.elapsedMs / 1_000);
      const message = `The engine had not answered after ${seconds} s, and the gateway gave up.`;
      return { status: 504, message, code: 'gateway_timeout' };
    }
    case 'closing':
      return { status: 503, message: 'The gateway is closing.', code: 'gateway_closing' };
    case 'finished': {
      const message = 'The session was finished.';
      return { status: 410, message, type: 'session_closed', code: 'session_gone' };
    }
    default:
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
  const own = ownErrors[error.code];
  return own?.name === undefined ? undefined : { status: own.status, message: error.message, code: own.name };
}
