import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The data that the thread starts with. */
export interface FrontDoorStart {
  /** The memory of the ping board. */
  memory: SharedArrayBuffer;
  /** Where to listen. */
  listen: { host: string; port: number };
  /** The app's own settings, in the words of Node's server. */
  timeouts: Pick<Server, 'keepAliveTimeout' | 'headersTimeout' | 'requestTimeout'>;
  /** Largest body that a caller who waits for `100 Continue` is asked for. */
  mostBodyBytes: number;
}

/** A message from the main thread to the front door. */
export type ToFrontDoor =
  /** Requests are taken at this port of the loopback interface. */
  | { kind: 'serve'; port: number }
  /** The ping handler has been asked; the board has its answer. */
  | { kind: 'told'; id: number }
  | { kind: 'close'; drainMs: number };

/** A message from the front door to the main thread. */
export type FromFrontDoor =
  | { kind: 'listening'; address: AddressInfo }
  | { kind: 'failed'; error: { message: string } & Record<string, unknown> }
  | { kind: 'ask'; id: number };
