import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PingReply, PingStatus } from '@art/protocol';

/** The state that decides pings. */
export interface PingState {
  /** `tasks`: background work decides; `handler`: the app's own ping handler; `forced`: `said`, whatever continues. */
  mode: 'tasks' | 'handler' | 'forced';
  /** True while background work is running. */
  busy: boolean;
  /** The last answer of the ping handler, or the forced status. @default as published before */
  said?: PingStatus | undefined;
}

/** The board that pings are answered from. */
export interface PingBoard {
  /** The app's word on how the session is, at every change. */
  publish: (state: PingState) => void;
  /** Notes what is reported. Its time, in whole unix seconds, moves only when the status does. */
  report: (status: PingStatus, nowMs: number) => PingReply;
  /** Forgets the time of the last change: the next report has its own. */
  forgetTime: () => void;
}

/** The app as a ping thread needs it. */
export interface PingThreadHost {
  /** Does not listen yet. It will at a port of the loopback interface, which {@link PingDoor.serve} is told. */
  server: Server;
  /** Where the app is asked to listen. */
  host: string;
  port: number;
  /** Brings the board up to date by asking the app's ping handler. Never rejects. */
  refresh: () => Promise<unknown>;
  /** True if there is a ping handler, because its answer may change without an event. */
  mustRefresh: () => boolean;
  warn: (message: string, error: unknown) => void;
}

/** The public port, while a ping thread has it. */
export interface PingDoor {
  address: AddressInfo;
  /** From here on, whatever is no ping goes to this port of the loopback interface. */
  serve: (port: number) => void;
  /** Lets go of the port when what was answered is through. Call it after the server has closed. Idempotent. */
  close: () => Promise<void>;
}

/** Answers `/ping` in the app's place and passes everything else on. `@art/server/ping-thread` is one. */
export interface PingThread {
  board: PingBoard;
  /**
   * Listens in the app's place. Undefined where that cannot be had here, after a warning; then the app listens by itself.
   * @throws the error of Node's `listen`
   */
  open: (host: PingThreadHost) => Promise<PingDoor | undefined>;
}
