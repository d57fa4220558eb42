import type { AddressInfo } from 'node:net';
import type { MessagePort } from 'node:worker_threads';
import type { connectionRelay } from './connection-relay.ts';
import type { FrontDoorStart, FromFrontDoor, ToFrontDoor } from './front-door-messages.ts';
import type { lingeringResponse } from '../../http/lingering-response.ts';
import type { withholdContinue } from '../../http/withhold-continue.ts';
import type { pingAnswers } from './ping-answers.ts';
import type { refuseMalformed } from '../../http/refuse-malformed.ts';
import type { requestRelay } from './request-relay.ts';

/** What the program is made of besides {@link frontDoor} itself. */
export interface FrontDoorParts {
  pingAnswers: typeof pingAnswers;
  requestRelay: typeof requestRelay;
  connectionRelay: typeof connectionRelay;
  refuseMalformed: typeof refuseMalformed;
  lingeringResponse: typeof lingeringResponse;
  withholdContinue: typeof withholdContinue;
}

/**
 * The program of the thread that owns the public port: it answers `GET /ping` itself and passes everything else on to the
 * main thread, at a port of the loopback interface.
 *
 * The thread runs the text of this function and of its parts, since an agent may be bundled into a single file: they must
 * use nothing but their arguments and globals.
 */
export function frontDoor(port: MessagePort, start: FrontDoorStart, parts: FrontDoorParts): void {
  const http = process.getBuiltinModule('node:http');
  const { promise: mainPort, resolve: serve } = Promise.withResolvers<number>();
  const requests = parts.requestRelay({ mainPort });
  const connections = parts.connectionRelay({ mainPort });
  const asked = new Map<number, () => void>();
  let lastAsk = 0;

  const tell = (message: FromFrontDoor): void => port.postMessage(message);

  const askMain = async (): Promise<boolean> => {
    lastAsk += 1;
    const id = lastAsk;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        asked.delete(id);
        resolve(false);
      }, start.askMs);
      asked.set(id, () => {
        clearTimeout(timer);
        resolve(true);
      });
      tell({ kind: 'ask', id });
    });
  };

  const { memory, places } = start;
  const { hasOpenRequests } = requests;
  const pings = parts.pingAnswers({ memory, places, askMain, hasOpenRequests });

  const settings = {
    requireHostHeader: false,
    headersTimeout: start.headersTimeoutMs,
    requestTimeout: start.requestTimeoutMs,
    connectionsCheckingInterval: start.checkingIntervalMs,
    ServerResponse: parts.lingeringResponse({ idleMs: 2_000 }),
  };
  const server = http.createServer(settings, (request, response) => {
    const answered = pings.isPing(request)
      ? pings.answer(request, response)
      : requests.relay(request, response);
    answered.catch(() => response.destroy());
  });
  server.keepAliveTimeout = start.keepAliveTimeoutMs;
  parts.withholdContinue(server, start.mostBodyBytes);
  server.on('upgrade', (request, socket, head) => {
    const relayed = pings.isPing(request)
      ? pings.answerRaw(request, socket)
      : connections.relay(request, socket, head);
    relayed.catch(() => socket.destroy());
  });
  server.on('clientError', (error, socket) => parts.refuseMalformed(error, socket, { lingerMs: 2_000 }));
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
