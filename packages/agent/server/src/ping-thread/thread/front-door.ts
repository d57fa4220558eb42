import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MessagePort } from 'node:worker_threads';
import { refuseMalformed, requestTimeLimits } from '@art/ground';
import { LingeringResponse } from '../../http/lingering-response.ts';
import { withholdContinue } from '../../http/request-limits.ts';
import { connectionRelay } from './connection-relay.ts';
import type { FrontDoorStart, FromFrontDoor, ToFrontDoor } from './front-door-messages.ts';
import { pingAnswers } from './ping-answers.ts';
import { requestRelay } from './request-relay.ts';
import { SharedPingBoard } from './shared-ping-board.ts';

/** How long a ping waits for the main thread's own answer. */
const askMs = 100;

/**
 * Owns the public port: answers `GET /ping` itself and passes everything else on to the main thread, at a port of the loopback
 * interface.
 */
export function frontDoor(port: MessagePort, start: FrontDoorStart): void {
  const { promise: mainPort, resolve: serve } = Promise.withResolvers<number>();
  const requests = requestRelay({ mainPort });
  const connections = connectionRelay({ mainPort });
  const asked = new Map<number, () => void>();
  let lastAsk = 0;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  const tell = (message: FromFrontDoor): void => port.postMessage(message);

  const askMain = async (): Promise<boolean> => {
    lastAsk += 1;
    const id = lastAsk;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        asked.delete(id);
        resolve(false);
      }, askMs);
      asked.set(id, () => {
        clearTimeout(timer);
        resolve(true);
      });
      tell({ kind: 'ask', id });
    });
  };

  const board = new SharedPingBoard(start.memory);
  const pings = pingAnswers({ board, askMain, hasOpenRequests: requests.hasOpenRequests });

  const settings = {
    requireHostHeader: false,
    ...start.timeouts,
    connectionsCheckingInterval: requestTimeLimits.connectionsCheckingInterval,
    ServerResponse: LingeringResponse,
  };
  const server = createServer(settings, (request, response) => {
    const answered = pings.isPing(request)
      ? pings.answer(request, response)
      : requests.relay(request, response);
    answered.catch(() => response.destroy());
  });
  withholdContinue(server, start.mostBodyBytes);
  server.on('upgrade', (request, socket, head) => {
    const relayed = pings.isPing(request)
      ? pings.answerRaw(request, socket)
      : connections.relay(request, socket, head);
    relayed.catch(() => socket.destroy());
  });
  server.on('clientError', refuseMalformed);
  server.once('error', (error: NodeJS.ErrnoException) => {
    const { code, errno, syscall, message } = error;
    const { address, port: taken } = error as { address?: string; port?: number };
    tell({ kind: 'failed', error: { message, code, errno, syscall, address, port: taken } });
    port.close();
  });
  server.listen(start.listen, () => tell({ kind: 'listening', address: server.address() as AddressInfo }));

  const close = (drainMs: number): void => {
    const limit = setTimeout(() => {
      server.closeAllConnections();
      connections.close();
    }, drainMs);
    server.close(() => {
      clearTimeout(limit);
      connections.close();
      requests.close();
      port.close();
    });
    server.closeIdleConnections();
  };

  port.on('message', (message: ToFrontDoor) => {
    switch (message.kind) {
      case 'serve':
        serve(message.port);
        break;
      case 'told':
        asked.get(message.id)?.();
        asked.delete(message.id);
        break;
      case 'close':
        close(message.drainMs);
        break;
    }
  });
}
