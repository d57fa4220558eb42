import { pipeline } from 'node:stream/promises';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import { callerHangUp } from './caller-hang-up.ts';
import type { DataPlaneContext } from './data-plane-context.ts';
import type { DataPlaneRequest } from './data-plane-request.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { relayToAgent } from './relay-to-agent.ts';
import { sdkAttemptOf } from './sdk-attempt.ts';
import { sessionIdOf } from './session-id-header.ts';

/** Response headers of a container that the service hands on. Source: InvokeAgentRuntime in the service model. */
const relayedHeaders = [
  'content-type',
  'content-length',
  'mcp-session-id',
  'mcp-protocol-version',
  runtimeHeaders.traceId,
  'traceparent',
  'tracestate',
  runtimeHeaders.baggage,
];

/** InvokeAgentRuntime: `POST /runtimes/{arn}/invocations`. */
export async function invokeRoute(
  context: DataPlaneContext,
  request: DataPlaneRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const agent = context.directory.find(request.params.agent, request.query.accountId);
  const sessionId = sessionIdOf(request.headers[runtimeHeaders.sessionId]);
  const attempts = context.metrics.attemptsOf(agent.name, sessionId);
  attempts.invocations += 1;
  attempts.highestSdkAttempt = Math.max(attempts.highestSdkAttempt, sdkAttemptOf(request.headers));
  context.limits.admitCall();
  const hangUp = callerHangUp(reply);
  const session = context.table.open(agent, sessionId);
  const endRequest = session.beginRequest();
  try {
    await session.whenReady();
    hangUp.throwIfAborted();
    attempts.delivered += 1;
    const response = await relayToAgent(session, {
      method: 'POST',
      path: '/invocations',
      headers: forwardedHeaders({
        headers: request.headers,
        sessionId,
        requestId: request.id,
        region: context.region,
        contentLength: request.body?.length ?? 0,
        allowedHeaders: agent.allowedHeaders,
      }),
      body: request.body,
      timeoutMs: context.requestTimeoutMs,
      streamTimeoutMs: context.streamTimeoutMs,
      signal: hangUp,
    });
    await relayAnswer(response, reply, {
      [runtimeHeaders.sessionId]: sessionId,
      [runtimeHeaders.requestId]: request.id,
    });
    return reply;
  } finally {
    endRequest();
  }
}

// Past Fastify: it would hold the head back until the first byte of a stream whose first event may be minutes away.
async function relayAnswer(
  response: IncomingMessage,
  reply: FastifyReply,
  ownHeaders: OutgoingHttpHeaders,
): Promise<void> {
  const headers: OutgoingHttpHeaders = { ...ownHeaders };
  for (const name of relayedHeaders) {
    const value = response.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  reply.hijack();
  reply.raw.writeHead(response.statusCode ?? 200, headers);
  reply.raw.flushHeaders();
  try {
    await pipeline(response, reply.raw);
  } catch {
    // The agent died or the caller left in mid-answer: the torn connection is all that can still be said.
    reply.raw.destroy();
  }
}
