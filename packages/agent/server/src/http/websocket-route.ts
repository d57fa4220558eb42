import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { type RequestContext, runWithContext } from '../request/request-context.ts';
import type { ReachTunnels } from '../reach/reach-tunnels.ts';
import { createRequestContext, sessionIdOf } from '../request/create-request-context.ts';

/** Serves one WebSocket connection to `/ws`. When it throws or rejects, the socket is closed with 1011. */
export type WebSocketHandler = (socket: WebSocket, context: RequestContext) => void | Promise<void>;

/**
 * Adds the route `/ws`. Sockets that `reach` claims are no business of the handler.
 * @param onRequest called for each connection
 */
export async function serveWebSocket(
  fastify: FastifyInstance,
  handler: WebSocketHandler,
  reach: Pick<ReachTunnels, 'claims'>,
  onRequest: (request: FastifyRequest) => void,
): Promise<void> {
  // Loaded on demand: few agents have a socket, and every session is a process that must start.
  const { default: websocket } = await import('@fastify/websocket');
  await fastify.register(websocket);
  fastify.get('/ws', { websocket: true }, (socket, request) => {
    void handleSocket(socket, request, handler, reach, onRequest);
  });
}

async function handleSocket(
  socket: WebSocket,
  request: FastifyRequest,
  handler: WebSocketHandler,
  reach: Pick<ReachTunnels, 'claims'>,
  onRequest: (request: FastifyRequest) => void,
): Promise<void> {
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  // Without a listener an error of the connection would end the process; the socket closes after it.
  socket.on('error', (error) => request.log.warn({ err: error }, 'The WebSocket connection failed'));
  let { log } = request;
  try {
    onRequest(request);
    if (await reach.claims(socket, request.raw)) return;
    const context = createRequestContext(request, {
      sessionId: sessionIdOf(request),
      signal: controller.signal,
    });
    ({ log } = context);
    await runWithContext(context, async () => handler(socket, context));
  } catch (error) {
    log.error({ err: error }, 'The WebSocket handler failed');
    socket.close(1011, 'Internal server error');
  }
}
