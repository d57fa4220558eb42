import { type AddressInfo, createServer } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { maxPayloadBytes } from '@art/protocol';
import type { PingDoor, PingThreadHost } from '../ping/ping-thread.ts';
import type { FromFrontDoor, FrontDoorStart, ToFrontDoor } from './thread/front-door-messages.ts';
import type { SharedPingBoard } from './thread/shared-ping-board.ts';

const refreshEveryMs = 1_000;
/** The time that open answers get when the door closes. */
const drainMs = 500;

/**
 * Starts the thread that owns the public port, and resolves when it listens; undefined where there are no threads, after a
 * warning. Where the thread is lost, the main thread takes the port over.
 * @throws the error of Node's `listen`
 */
export async function openFrontDoor(
  host: PingThreadHost,
  board: SharedPingBoard,
  startThread: (start: FrontDoorStart) => Worker,
): Promise<PingDoor | undefined> {
  const { server, refresh, mustRefresh, warn } = host;
  const listening = Promise.withResolvers<AddressInfo | undefined>();
  const ended = Promise.withResolvers<void>();
  let worker: Worker;
  let isClosing = false;
  let lost: unknown = new Error('The thread that answers pings ended.');
  const warnUnavailable = (error: unknown): void =>
    warn('No thread can be started to answer pings; a handler that blocks blocks them', error);

  try {
    const { keepAliveTimeout, headersTimeout, requestTimeout } = server;
    worker = startThread({
      memory: board.memory,
      listen: { host: host.host, port: host.port },
      timeouts: { keepAliveTimeout, headersTimeout, requestTimeout },
      mostBodyBytes: maxPayloadBytes,
    });
  } catch (error) {
    warnUnavailable(error);
    return undefined;
  }
  // The thread ends with the process, and must not keep it.
  worker.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node has no origin
  const tell = (message: ToFrontDoor): void => worker.postMessage(message);
  worker.on('message', (message: FromFrontDoor) => {
    switch (message.kind) {
      case 'listening':
        listening.resolve(message.address);
        break;
      case 'failed':
        listening.reject(Object.assign(new Error(message.error.message), message.error));
        break;
      case 'ask':
        void refresh().then(() => tell({ kind: 'told', id: message.id }));
        break;
    }
  });
  worker.on('error', (error) => (lost = error));
  worker.once('exit', () => {
    ended.resolve();
    listening.resolve(undefined);
  });

  const address = await listening.promise;
  if (address === undefined) {
    warnUnavailable(lost);
    return undefined;
  }
  void ended.promise.then(() => {
    clearInterval(refreshing);
    if (isClosing) return;
    warn('The thread that answers pings was lost; the main thread answers them from now on', lost);
    takeOver(host, address);
  });
  // The thread keeps its connections; one that closed under a request would lose it.
  server.keepAliveTimeout = 0;
  const refreshing = setInterval(() => {
    if (mustRefresh()) void refresh();
  }, refreshEveryMs);
  refreshing.unref();
  const close = async (): Promise<void> => {
    if (!isClosing) {
      isClosing = true;
      // Until it has answered, the thread is all that is left to do.
      worker.ref();
      tell({ kind: 'close', drainMs });
    }
    await ended.promise;
  };
  // Also where the caller of close knows nothing of the thread.
  server.once('close', () => void close());
  return { address, serve: (port) => tell({ kind: 'serve', port }), close };
}

/** Serves the public port from this thread. */
function takeOver({ server, warn }: PingThreadHost, { address, port }: AddressInfo): void {
  const substitute = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  substitute.on('error', (error) => warn('The port of the lost thread cannot be taken over', error));
  substitute.listen({ host: address, port });
  server.once('close', () => substitute.close());
}
