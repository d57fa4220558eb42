import { maxPayloadBytes, runtimeHeaders } from '@art/protocol';
import type { DataPlaneRoute } from './data-plane.ts';
import { type ReplyDelivery, deliveryOf } from './delivery.ts';
import { invocationStatus, ripOfPayload, sdkAttemptOf } from './invocation-notes.ts';
import { relayAnswer, relayState } from './relay-answer.ts';
import { relayToAgent } from './relay-to-agent.ts';
import type { EndpointLog } from '../service/endpoint-log.ts';
import type { Session } from '../session/session.ts';

/** InvokeAgentRuntime. */
export const invokeRoute: DataPlaneRoute = {
  method: 'POST',
  path: '/invocations',
  maxBodyBytes: maxPayloadBytes,
  answer: async (call, context) => {
    const { log } = context;
    const { agent, sessionId, requestId, headers, body, reply, hangUp } = call;
    const rip = ripOfPayload(body);
    const invocationId = rip?.operation === 'start' ? rip.invocationId : undefined;
    const event = { agent: agent.name, sessionId, invocationId };
    log.add({ kind: 'invoked', ...event, sdkAttempt: sdkAttemptOf(headers) });
    context.limits.admitCall();
    const fault = context.faults?.onRequest('invoke', agent.name, sessionId);
    await fault?.before(hangUp);
    hangUp.throwIfAborted();
    const session = context.table.open(agent, sessionId);
    using _request = session.beginRequest();
    try {
      await session.whenReady();
      hangUp.throwIfAborted();
      const copies = fault?.onDelivery(session) ?? 0;
      log.add({ kind: 'delivered', ...event });
      const delivery = deliveryOf(call, context.settings, { method: 'POST', path: agent.invocationPath });
      const relayed = relayToAgent(session, delivery);
      for (let copy = 0; copy < copies; copy += 1) void deliverCopy(session, delivery, log, event);
      const response = await relayed;
      log.add({ kind: 'accepted', ...event });
      await fault?.after(hangUp, session).catch((error: unknown) => {
        // What the agent says is not heard by anybody.
        response.resume();
        throw error;
      });
      const ownHeaders = { [runtimeHeaders.sessionId]: sessionId, [runtimeHeaders.requestId]: requestId };
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
    }
  },
};

/** Passes the same request on once more; nobody hears the answer. */
async function deliverCopy(
  session: Session,
  delivery: ReplyDelivery,
  log: EndpointLog,
  event: { agent: string; sessionId: string; invocationId: string | undefined },
): Promise<void> {
  log.add({ kind: 'delivered', ...event, copy: true });
  using _request = session.beginRequest();
  try {
    // Its caller may have left when the first answer was there; a copy continues until the session ends.
    const response = await relayToAgent(session, { ...delivery, signal: session.ending });
    response.resume();
    log.add({ kind: 'accepted', ...event, copy: true });
  } catch {
    // What refused it is in the log of the session.
  }
}
