import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientReply } from '../http/client-reply.ts';
import type { ProxyTarget } from '../http/proxy-path.ts';
import { admitCall, agentLeft } from './admit-call.ts';
import { type AdmittedCall, CallLife, CallMeter, type ReceivedCall } from './call/call.ts';
import type { GatewayServices } from './call/gateway-services.ts';
import { reportFailure } from './call/call-failure.ts';
import { captureExchange } from './capture-exchange.ts';
import { countTokens } from './count-tokens.ts';
import { passThrough } from './pass-through.ts';

/** Serves one call of an agent to the model API. Never rejects. */
export async function handleCall(
  services: GatewayServices,
  request: IncomingMessage,
  response: ServerResponse,
  target: ProxyTarget,
): Promise<void> {
  const received: ReceivedCall = {
    request,
    target,
    reply: new ClientReply(response),
    arrivedAtMs: Date.now(),
    life: new CallLife(),
    meter: new CallMeter(),
  };
  const { reply, life, meter } = received;
  reply.whenGone(() => life.cancel('client_gone'));
  const leave = services.inFlight.enter((reason) => life.cancel(reason));
  let admitted: AdmittedCall | undefined;
  try {
    admitted = await admitCall(services, received);
    const { endpoint } = target;
    if (request.method !== 'POST' || endpoint === 'other') await passThrough(services, admitted);
    else if (endpoint === 'count_tokens') await countTokens(services, admitted);
    else await captureExchange(services, admitted, endpoint);
  } catch (error) {
    reportFailure(services, received, error, admitted?.session?.sessionId);
  }
  const status = life.cancelledBecause === 'client_gone' ? agentLeft : (reply.status ?? 500);
  admitted?.charge?.end();
  admitted?.leave(status);
  leave();
  const { stream, engine, engineMs, elapsedMs: totalMs } = meter;
  meter.span?.end(status, life, meter);
  services.metrics.callFinished({ endpoint: target.endpoint, status, stream, engine, totalMs, engineMs });
}
