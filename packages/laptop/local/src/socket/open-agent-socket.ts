import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { ReplyDelivery } from '../http/delivery.ts';
import { deathOf, refusalOf } from '../http/relay-to-agent.ts';
import { ServiceFault } from '../service/service-fault.ts';
import type { Session } from '../session/session.ts';

/**
 * Opens the socket of a session's agent. Messages that come before somebody listens are kept: the socket is paused.
 * @param protocols the subprotocols that the caller offers
 * @throws ServiceFault 424 where the agent refuses, ends, or does not answer in time; the signal's reason
 */
export async function openAgentSocket(
  session: Session,
  { path, headers, timeoutMs, signal }: ReplyDelivery,
  protocols: string[],
): Promise<WebSocket> {
  const { port } = await session.whenReady();
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, {
    headers: headers as Record<string, string>,
    handshakeTimeout: timeoutMs,
    autoPong: false,
    perMessageDeflate: false,
  });
  // At once: a message may have come with the agent's answer.
  socket.once('open', () => socket.pause());
  const refused = Promise.withResolvers<never>();
  socket.once('unexpected-response', (_request: unknown, response: IncomingMessage) => {
    refusalOf(session, response).then(refused.reject, refused.reject);
  });
  try {
    await Promise.race([once(socket, 'open', { signal }), refused.promise]);
  } catch (error) {
    // An error of the handshake that was given up is nobody's any more.
    socket.on('error', () => {});
    socket.terminate();
    throw error instanceof ServiceFault ? error : await deathOf(session, signal, error as Error);
  }
  return socket;
}
