import { apiErrorBody, apiErrorEvent, type ApiFailure } from '../../http/api-error.ts';
import type { Call } from './call.ts';
import { failureOf } from './failure-of.ts';
import type { ProxyContext } from './proxy-context.ts';

/** Tells the agent of an error, with its status where none was sent yet, and otherwise within the body. */
export function tellFailure(context: ProxyContext, call: Call, error: unknown): void {
  if (call.cancelledBecause === 'client_gone') {
    context.metrics.error('client_gone');
    return;
  }
  let failure = failureOf(error, call);
  if (failure === undefined) {
    context.log.error({ err: error, sessionId: call.session?.sessionId }, 'call failed unexpectedly');
    failure = { status: 500, message: 'Internal error of the gateway; its log has the details.' };
  }
  context.metrics.error(String(failure.code ?? failure.status));
  sendFailure(call, failure);
}

/** As {@link tellFailure}, for a failure that is known. */
export function sendFailure(call: Call, failure: ApiFailure): void {
  const { reply, target, stream } = call;
  if (reply.state === 'open') {
    const headers = { 'content-type': 'application/json' };
    reply.send(failure.status, headers, apiErrorBody(target.endpoint, failure));
    return;
  }
  const isInMidAnswer = reply.hasBegun && call.cancelledBecause !== 'expired';
  const told = isInMidAnswer ? failure : lateFailure(failure);
  reply.end(stream ? apiErrorEvent(target.endpoint, told) : apiErrorBody(target.endpoint, told));
}

// Under the status 200 that a heartbeat has sent, the type has to say that this is no answer. The code is then the status
// that could not be sent, as in rllm-model-gateway, whose readers look for it there.
function lateFailure(failure: ApiFailure): ApiFailure {
  const type = failure.status === 504 ? 'gateway_upstream_timeout' : 'gateway_upstream_error';
  return { ...failure, type, code: failure.status };
}
