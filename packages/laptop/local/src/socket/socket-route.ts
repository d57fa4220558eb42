import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import { runtimeHeaders } from '@art/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { type DataPlaneContext, findAgent, calledSessionId } from '../http/data-plane.ts';
import { deliveryOf } from '../http/delivery.ts';
import { invalidField } from '../service/service-fault.ts';
import type { Session } from '../session/session.ts';
import { openAgentSocket } from './open-agent-socket.ts';
import { relaySocket } from './relay-socket.ts';

/** A session's socket before the caller's is open. */
interface OpenedSession {
  session: Session;
  agent: WebSocket;
}

// A caller who cannot set headers, as a page, puts its token there; such a client wants one of its protocols chosen. Source: AgentCore developer guide, WebSockets with OAuth.
const bearerProtocol = /^base64UrlBearerAuthorization/i;

/** Prepares the server itself for `@fastify/websocket`, before any route. */
export async function prepareSockets(fastify: FastifyInstance): Promise<void> {
  await fastify.register(websocket, {
    options: {
      // Pings are the agent's and the caller's own.
      autoPong: false,
      perMessageDeflate: false,
      handleProtocols: (_offered: Set<string>, request: IncomingMessage) =>
        chosenProtocols.get(request) || false,
    },
  });
}

const chosenProtocols = new WeakMap<IncomingMessage, string>();

/**
 * InvokeAgentRuntimeWithWebSocketStream, `GET /runtimes/{arn}/ws`. The session is opened, and the agent's socket with it, before
 * the caller's handshake is answered, so that a refusal is an HTTP status. Credentials and signatures are accepted unread.
 */
export function registerSocketRoute(fastify: FastifyInstance, context: DataPlaneContext): void {
  const opened = new WeakMap<IncomingMessage, OpenedSession>();
  const { log, settings } = context;
  fastify.get(
    '/runtimes/:agent/ws',
    {
      websocket: true,
      preValidation: async (request) => {
        const found = await openFor(request, context);
        const bearer = offeredProtocols(request.headers).find((protocol) => bearerProtocol.test(protocol));
        chosenProtocols.set(request.raw, found.agent.protocol || bearer || '');
        opened.set(request.raw, found);
      },
    },
    async (caller, request) => {
      const { session, agent } = opened.get(request.raw)!;
      const event = { agent: session.agent.name, sessionId: session.id };
      log.add({ kind: 'socket_opened', ...event });
      const report = await relaySocket({
        caller,
        agent,
        limits: settings.webSocket,
        ending: session.ending,
        nowMs: () => settings.clock.nowMs(),
        onFrame: () => session.touch(),
      });
      log.add({ kind: 'socket_closed', ...event, ...report });
    },
  );
}

async function openFor(request: FastifyRequest, context: DataPlaneContext): Promise<OpenedSession> {
  if (!request.ws)
    throw invalidField('Expected a WebSocket handshake, got a request without "upgrade: websocket"');
  const { agent: named } = request.params as { agent: string };
  const query = lowerCaseNames(request.query as Record<string, string | string[]>);
  const agent = findAgent(context, named, one(query['accountid']));
  const { headers } = request;
  // The id in the query is for the service alone. Source: reports of agents on the service.
  const sessionId = calledSessionId(
    headers[runtimeHeaders.sessionId] ?? query[runtimeHeaders.sessionId],
    false,
  );
  const hangUp = new AbortController();
  const { socket } = request.raw;
  socket.once('close', () => hangUp.abort(new Error('The caller closed the connection.')));
  context.limits.admitCall();
  const session = context.table.open(agent, sessionId);
  using _request = session.beginRequest();
  const delivery = deliveryOf(
    { agent, sessionId, requestId: randomUUID(), headers, body: undefined, hangUp: hangUp.signal },
    context.settings,
    { method: 'GET', path: '/ws' },
  );
  delete delivery.headers['content-length'];
  Object.assign(delivery.headers, customHeadersOf(query));
  const protocols = offeredProtocols(headers).filter((protocol) => !bearerProtocol.test(protocol));
  const agentSocket = await openAgentSocket(session, delivery, protocols);
  // Whatever becomes of the handshake with the caller, the agent's socket does not outlive that connection.
  socket.once('close', () => agentSocket.terminate());
  if (socket.destroyed) agentSocket.terminate();
  return { session, agent: agentSocket };
}

/** A caller who cannot set headers puts them into the query: these reach the agent, as no other part of the query does. */
function customHeadersOf(query: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => name.startsWith(runtimeHeaders.customPrefix)),
  );
}

function offeredProtocols(headers: IncomingHttpHeaders): string[] {
  const offered = headers['sec-websocket-protocol']?.split(',') ?? [];
  return offered.map((protocol) => protocol.trim()).filter((protocol) => protocol !== '');
}

function lowerCaseNames(query: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
