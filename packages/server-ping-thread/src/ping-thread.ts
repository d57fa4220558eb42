import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import type { PingDoor, PingThread, PingThreadHost } from '@art/server';
import { openFrontDoor } from './open-front-door.ts';
import { SharedPingBoard } from './thread/shared-ping-board.ts';

const refreshEveryMs = 1_000;
const drainMs = 500;

/**
 * Option `pingThread` of `AgentCoreRLApp`: a thread owns the public port, answers `GET /ping` also while a handler blocks the
 * event loop, and passes everything else on to the main thread, which listens at a port of the loopback interface.
 */
export function pingThread(): PingThread {
  return pingThreadBy(openFrontDoor);
}

/** @param openDoor starts the thread */
export function pingThreadBy(openDoor: typeof openFrontDoor): PingThread {
  const board = new SharedPingBoard();
  return { board, open: (host) => openInFront(host, board, openDoor) };
}

async function openInFront(
  { server, host, port, refresh, mustRefresh, warn }: PingThreadHost,
  board: SharedPingBoard,
  openDoor: typeof openFrontDoor,
): Promise<PingDoor | undefined> {
  let taken: AddressInfo | undefined;
  const opening = await openDoor({
    board,
    refresh,
    listen: { host, port },
    timeouts: {
      keepAliveTimeout: server.keepAliveTimeout,
      headersTimeout: server.headersTimeout,
      requestTimeout: server.requestTimeout,
    },
    onLost: (error) => {
      warn('The thread that answers pings was lost; the main thread answers them from now on', error);
      if (taken !== undefined) takeOver(server, taken, warn);
    },
  });
  if (opening.kind === 'failed') throw opening.error;
  if (opening.kind === 'unavailable') {
    warn('No thread can be started to answer pings; a handler that blocks blocks them', opening.error);
    return undefined;
  }
  const { door } = opening;
  taken = door.address;
  // The thread keeps its connections; one that closed under a request would lose it.
  server.keepAliveTimeout = 0;
  const refreshing = setInterval(() => {
    if (mustRefresh()) void refresh();
  }, refreshEveryMs);
  refreshing.unref();
  const close = (): Promise<void> => {
    clearInterval(refreshing);
    return door.close(drainMs);
  };
  // Also where whoever closes the server knows nothing of the thread.
  server.once('close', () => void close());
  return { address: door.address, serve: door.serve, close };
}

/** Serves the public port from this thread. */
function takeOver(
  server: Server,
  { address, port }: AddressInfo,
  warn: (message: string, error: unknown) => void,
): void {
  const substitute = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  substitute.on('error', (error) => warn('The port of the lost thread cannot be taken over', error));
  substitute.listen({ host: address, port });
  server.once('close', () => substitute.close());
}
