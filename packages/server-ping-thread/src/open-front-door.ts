import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { maxPayloadBytes } from '@art/protocol';
import type { FromFrontDoor, FrontDoorStart, ToFrontDoor } from './thread/front-door-messages.ts';
import type { SharedPingBoard } from './thread/shared-ping-board.ts';
import { threadProgram } from './thread-program.ts';

export interface FrontDoorOptions extends Pick<FrontDoorStart, 'listen' | 'timeouts'> {
  board: SharedPingBoard;
  /** Brings the board up to date by asking the app's ping handler. Never rejects. */
  refresh: () => Promise<unknown>;
  /** The thread ended although nobody closed it; the public port is free again. */
  onLost: (error: unknown) => void;
  /** How long a ping waits for `refresh`. @default 100 */
  askMs?: number;
}

/** The running thread that owns the public port. */
export interface FrontDoor {
  /** Where it listens. */
  address: AddressInfo;
  /** From here on requests go to this port of the loopback interface. */
  serve: (port: number) => void;
  /** Stops listening, gives answers under way `drainMs`, and ends the thread. Idempotent. */
  close: (drainMs: number) => Promise<void>;
}

/** - `failed`: the port cannot be had. `unavailable`: threads cannot be had. */
export type FrontDoorOpening =
  | { kind: 'open'; door: FrontDoor }
  | { kind: 'failed'; error: Error }
  | { kind: 'unavailable'; error: Error };

/** Starts the thread. Resolves when it listens, or when it is clear that it will not. Never rejects. */
export async function openFrontDoor(options: FrontDoorOptions): Promise<FrontDoorOpening> {
  const { board, listen, timeouts, refresh, onLost, askMs = 100 } = options;
  const workerData: FrontDoorStart = {
    memory: board.memory,
    listen,
    timeouts,
    mostBodyBytes: maxPayloadBytes,
    askMs,
  };
  let worker: Worker;
  try {
    worker = new Worker(threadProgram.program, {
      ...threadProgram.options,
      name: 'art-ping',
      workerData,
      env: {},
    });
  } catch (error) {
    return { kind: 'unavailable', error: error as Error };
  }
  // The thread ends with the process, and must not keep it.
  worker.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node has no origin
  const tell = (message: ToFrontDoor): void => worker.postMessage(message);
  const opening = Promise.withResolvers<FrontDoorOpening>();
  const ended = Promise.withResolvers<void>();
  let isClosing = false;
  let lost: unknown = new Error('The thread that answers pings ended.');

  const close = async (drainMs: number): Promise<void> => {
    if (!isClosing) {
      isClosing = true;
      // Until it has answered, the thread is all that is left to do.
      worker.ref();
      tell({ kind: 'close', drainMs });
    }
    await ended.promise;
  };

  worker.on('message', (message: FromFrontDoor) => {
    switch (message.kind) {
      case 'listening': {
        const { address } = message;
        const serve = (port: number): void => tell({ kind: 'serve', port });
        opening.resolve({ kind: 'open', door: { address, serve, close } });
        break;
      }
      case 'failed':
        isClosing = true;
        opening.resolve({
          kind: 'failed',
          error: Object.assign(new Error(message.error.message), message.error),
        });
        break;
      case 'ask':
        void refresh().then(() => tell({ kind: 'told', id: message.id }));
        break;
    }
  });
  worker.on('error', (error) => {
    lost = error;
    opening.resolve({ kind: 'unavailable', error: error as Error });
  });
  worker.once('exit', () => {
    ended.resolve();
    opening.resolve({ kind: 'unavailable', error: lost as Error });
    if (isClosing) return;
    isClosing = true;
    onLost(lost);
  });
  return opening.promise;
}
