import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import type { PingBoard } from '../ping-board.ts';
import { type FrontDoor, openFrontDoor } from './open-front-door.ts';

export interface BehindFrontDoorOptions {
  board: PingBoard;
  /** Brings the board up to date by asking the app's ping handler. Never rejects. */
  refresh: () => Promise<unknown>;
  /** Whether there is a ping handler whose answer changes by itself. */
  mustRefresh: () => boolean;
  warn: (message: string, error: unknown) => void;
  /** @default openFrontDoor */
  openDoor?: typeof openFrontDoor;
}

const refreshEveryMs = 1_000;
const drainMs = 500;

/**
 * Makes an HTTP server listen behind a thread that owns the public port and answers pings, see `frontDoor`. Whoever
 * calls `listen`, `address` and `close` notices nothing: errors, events and addresses are those of the public port.
 * Where there are no threads, the server listens by itself and a warning is given.
 */
export function listenBehindFrontDoor(server: Server, options: BehindFrontDoorOptions): void {
  const { board, refresh, mustRefresh, warn, openDoor = openFrontDoor } = options;
  const listenHere = server.listen.bind(server) as (options: ListenOptions) => Server;
  const addressHere = server.address.bind(server);
  const closeHere = server.close.bind(server);
  let door: FrontDoor | undefined;
  let opening: Promise<void> | undefined;
  let refreshing: NodeJS.Timeout | undefined;

  const open = async (listen: ListenOptions & { port: number }): Promise<void> => {
    const { host, port, backlog, ipv6Only } = listen;
    const result = await openDoor({
      board,
      refresh,
      listen: {
        port,
        ...(host === undefined ? {} : { host }),
        ...(backlog === undefined ? {} : { backlog }),
        ...(ipv6Only === undefined ? {} : { ipv6Only }),
      },
      keepAliveTimeoutMs: server.keepAliveTimeout,
      headersTimeoutMs: server.headersTimeout,
      requestTimeoutMs: server.requestTimeout,
      onLost: (error) => {
        warn('The thread that answers pings was lost; the main thread answers them from now on', error);
        if (door !== undefined) takeOver(server, door.address, warn);
      },
    });
    if (result.kind !== 'open') {
      if (result.kind === 'failed') {
        server.emit('error', result.error);
      } else {
        warn('No thread can be started to answer pings; a handler that blocks blocks them', result.error);
        listenHere(listen);
      }
      return;
    }
    const { serve } = result.door;
    ({ door } = result);
    // The thread keeps its connections; one that closed under a request would lose it.
    server.keepAliveTimeout = 0;
    // Before the listeners of whoever waits for the server, so that it serves once they know.
    server.prependOnceListener('listening', () => serve((addressHere() as AddressInfo).port));
    listenHere({ host: '127.0.0.1', port: 0 });
    refreshing = setInterval(() => {
      if (mustRefresh()) void refresh();
    }, refreshEveryMs);
    refreshing.unref();
  };

  server.listen = ((listen: unknown, ...rest: unknown[]) => {
    const isPort =
      typeof listen === 'object' &&
      listen !== null &&
      typeof (listen as ListenOptions).port === 'number' &&
      (listen as ListenOptions).path === undefined &&
      rest.length === 0;
    if (!isPort) return Reflect.apply(listenHere, server, [listen, ...rest]) as Server;
    opening = open(listen as ListenOptions & { port: number });
    return server;
  }) as Server['listen'];

  server.address = () => (door === undefined || addressHere() === null ? addressHere() : door.address);

  const close = async (): Promise<Error | undefined> => {
    await opening;
    clearInterval(refreshing);
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    closeHere(resolve);
    const error = await promise;
    // What was answered must still get through the door.
    await door?.close(drainMs);
    return error;
  };

  server.close = (onClosed) => {
    void close().then((error) => onClosed?.(error));
    return server;
  };
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
