import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import type { Session } from '../session/session.ts';
import { callerHangUp } from './caller-hang-up.ts';
import type { DataPlaneContext } from './data-plane-context.ts';
import type { DataPlaneRequest } from './data-plane-request.ts';
import { deliverCopies } from './deliver-copies.ts';
import type { ForwardRequest } from './forward-request.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { invocationStatus } from './invocation-status.ts';
import { relayAnswer } from './relay-answer.ts';
import { relayState } from './relay-state.ts';
import { relayToAgent } from './relay-to-agent.ts';
import { ripOfPayload } from './rip-of-payload.ts';
import { sdkAttemptOf } from './sdk-attempt.ts';
import { sessionIdOf } from './session-id-header.ts';

/** InvokeAgentRuntime: `POST /runtimes/{arn}/invocations`. */
export async function invokeRoute(
  context: DataPlaneContext,
  request: DataPlaneRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { log } = context;
  const agent = context.directory.find(request.params.agent, request.query.accountId);
  const sessionId = sessionIdOf(request.headers[runtimeHeaders.sessionId]);
  const attempts = context.metrics.attemptsOf(agent.name, sessionId);
  attempts.invocations += 1;
  attempts.highestSdkAttempt = Math.max(attempts.highestSdkAttempt, sdkAttemptOf(request.headers));
  const rip = ripOfPayload(request.body);
  const invocationId = rip?.operation === 'start' ? rip.invocationId : undefined;
  const event = { agent: agent.name, sessionId, invocationId };
  log.add({ kind: 'invoked', ...event });
  context.limits.admitCall();
  const hangUp = callerHangUp(reply);
  const fault = context.faults?.onRequest('invoke', agent.name, sessionId);
  await fault?.before(hangUp);
  hangUp.throwIfAborted();
  const session = context.table.open(agent, sessionId);
  const endRequest = session.beginRequest();
  try {
    await session.whenReady();
    hangUp.throwIfAborted();
    const copies = fault?.onDelivery(session) ?? 0;
    attempts.delivered += 1;
    log.add({ kind: 'delivered', ...event });
    const delivery = deliveryOf(context, request, session, hangUp);
    const relayed = relayToAgent(session, delivery);
    deliverCopies(copies, session, delivery, log, event);
    const response = await relayed;
    attempts.accepted += 1;
    log.add({ kind: 'accepted', ...event });
    await fault?.after(hangUp, session).catch((error: unknown) => {
      // What the agent says is not heard by anybody.
      response.resume();
      throw error;
    });
    const ownHeaders = { [runtimeHeaders.sessionId]: sessionId, [runtimeHeaders.requestId]: request.id };
    const ended = rip?.operation === 'get' ? context.table.endOf(agent, sessionId) : undefined;
    const note = (head: string): void => {
      const status = rip && invocationStatus(head);
      if (status !== undefined)
        log.add({ kind: 'invocation', ...event, invocationId: rip!.invocationId, status });
    };
    if (ended !== undefined) note(await relayState(response, reply, ownHeaders, ended));
    else await relayAnswer(response, reply, ownHeaders, note);
    return reply;
  } catch (error) {
    // A fault that was to follow what did not come about.
    fault?.missed();
    throw error;
  } finally {
    endRequest();
  }
}

function deliveryOf(
  context: DataPlaneContext,
  request: DataPlaneRequest,
  session: Session,
  hangUp: AbortSignal,
): Omit<ForwardRequest, 'port'> {
  return {
    method: 'POST',
    path: '/invocations',
    headers: forwardedHeaders({
      headers: request.headers,
      sessionId: session.id,
      requestId: request.id,
      region: context.region,
      contentLength: request.body?.length ?? 0,
      allowedHeaders: session.agent.allowedHeaders,
    }),
    body: request.body,
    timeoutMs: context.requestTimeoutMs,
    streamTimeoutMs: context.streamTimeoutMs,
    signal: hangUp,
  };
}
