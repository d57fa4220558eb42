import type { InvocationState } from '@art/protocol';

/**
 * Why a session ended. `stopped`: by its caller. `idle`, `max_lifetime`: reaped. `unhealthy`: it did not answer its pings.
 * `exited`: the process ended by itself. `start_failed`: it never became healthy. `closed`: the whole runtime was closed.
 */
export type SessionEndReason =
  | 'stopped'
  | 'idle'
  | 'max_lifetime'
  | 'unhealthy'
  | 'exited'
  | 'start_failed'
  | 'closed';

/**
 * Why a WebSocket ended. `caller`, `agent`: that side closed it, or broke. `session_ended`, `duration`: closed with 1001.
 * `frame_size`, `frame_rate`: dropped, since a limit was broken.
 */
export type SocketEnd = 'caller' | 'agent' | 'session_ended' | 'duration' | 'frame_size' | 'frame_rate';

/**
 * One thing that happened at the endpoint: what invariants over a run are checked against. `invocationId`
 * is that of a payload that starts one by the Runtime Invocation Protocol.
 */
export type EndpointEvent =
  /** A session id got a process, or waits for one. */
  | { kind: 'session_started'; agent: string; sessionId: string }
  /** Its process answered a ping. `startMs`: since the request that made the session; `warm`: the process was kept ready. */
  | {
      kind: 'session_ready';
      agent: string;
      sessionId: string;
      pid: number;
      startMs: number;
      warm: boolean;
    }
  /** The agent kept its pings waiting for a second or more, and has answered one, or its session ends. */
  | { kind: 'ping_waited'; agent: string; sessionId: string; waitedMs: number }
  /** The last of its process group is gone. */
  | {
      kind: 'session_ended';
      agent: string;
      sessionId: string;
      reason: SessionEndReason;
      pid?: number | undefined;
      exit?: string | undefined;
    }
  /** An invocation arrived, whatever became of it. `sdkAttempt` above 1: an SDK tried again on its own. */
  | {
      kind: 'invoked';
      agent: string;
      sessionId: string;
      invocationId?: string | undefined;
      sdkAttempt: number;
    }
  /** It was passed on to the agent; `copy` for the further deliveries of an injected duplicate. */
  | {
      kind: 'delivered';
      agent: string;
      sessionId: string;
      invocationId?: string | undefined;
      copy?: true | undefined;
    }
  /** The agent answered with 2xx, whether or not the caller learned of it. */
  | {
      kind: 'accepted';
      agent: string;
      sessionId: string;
      invocationId?: string | undefined;
      copy?: true | undefined;
    }
  /** State of an invocation that an agent has given by the Runtime Invocation Protocol. */
  | {
      kind: 'invocation';
      agent: string;
      sessionId: string;
      invocationId: string;
      status: InvocationState['status'];
    }
  /** A WebSocket of a session; `frames` with the pings, and in both directions. */
  | { kind: 'socket_opened'; agent: string; sessionId: string }
  | {
      kind: 'socket_closed';
      agent: string;
      sessionId: string;
      reason: SocketEnd;
      frames: number;
      largestFrameBytes: number;
      /** The most in any second in one direction. */
      mostFramesPerSecond: number;
    }
  /** A stop that was not struck by a fault. */
  | { kind: 'stop'; agent: string; sessionId: string; outcome: 'stopped' | 'not_found' }
  /**
   * `stored`; `refused`: `If-None-Match` or `If-Match` did not hold; `failed`: the backend could not; `forgotten`: a fault threw
   * it away. `sessionId` is that of the key.
   */
  | {
      kind: 's3_write';
      bucket: string;
      key: string;
      sessionId?: string | undefined;
      ifAbsent: boolean;
      outcome: 'stored' | 'refused' | 'failed' | 'forgotten';
      etag?: string | undefined;
      sizeBytes?: number | undefined;
    }
  | { kind: 's3_delete'; bucket: string; key: string; outcome: 'deleted' | 'refused' | 'failed' };

/** An event with its number, from 1, and the wall time in milliseconds since 1970. */
export type EndpointLogEntry = EndpointEvent & { seq: number; atMs: number };

/** The last events at the endpoint, in the order in which they happened; all of them are numbered and counted. */
export class EndpointLog {
  readonly #limit: number;
  readonly #count: (event: EndpointEvent) => void;
  /** Up to twice the limit, so that old entries are thrown away rarely and many at once. */
  #entries: EndpointLogEntry[] = [];
  #lastSeq = 0;

  /** @param count called with every event, also of those that are forgotten */
  constructor(limit: number, count: (event: EndpointEvent) => void = () => {}) {
    this.#limit = limit;
    this.#count = count;
  }

  /** Number of the newest entry, 0 before the first: a reader whose entries are not contiguous up to here has missed some. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  add(event: EndpointEvent): void {
    this.#lastSeq += 1;
    this.#entries.push({ seq: this.#lastSeq, atMs: Date.now(), ...event });
    if (this.#entries.length >= this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
    this.#count(event);
  }

  /** Entries behind one, as copies; without a number all that is kept. */
  after(seq = 0): EndpointLogEntry[] {
    const oldest = this.#lastSeq - Math.min(this.#entries.length, this.#limit) + 1;
    const count = this.#lastSeq - Math.max(seq + 1, oldest) + 1;
    return count <= 0 ? [] : this.#entries.slice(-count).map((entry) => ({ ...entry }));
  }
}
