import type { InvocationState } from '@art/protocol';
import { NumberedLog } from './numbered-log.ts';

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
 * One thing that happened at the endpoint: what invariants over a run are checked against. `invocationId`
 * is that of a payload that starts one by the Runtime Invocation Protocol.
 */
export type EndpointEvent =
  /** A session id got a process, or waits for one. */
  | { kind: 'session_started'; agent: string; sessionId: string }
  /** The last of its process group is gone. */
  | {
      kind: 'session_ended';
      agent: string;
      sessionId: string;
      reason: SessionEndReason;
      pid?: number | undefined;
      exit?: string | undefined;
    }
  /** An invocation arrived, whatever became of it. */
  | { kind: 'invoked'; agent: string; sessionId: string; invocationId?: string | undefined }
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
  /** What an agent that speaks the Runtime Invocation Protocol said of an invocation. */
  | {
      kind: 'invocation';
      agent: string;
      sessionId: string;
      invocationId: string;
      status: InvocationState['status'];
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

/** The last events at the endpoint, in the order in which they happened. */
export class EndpointLog {
  readonly #log: NumberedLog<EndpointEvent & { atMs: number }>;

  constructor(limit: number) {
    this.#log = new NumberedLog(limit);
  }

  /** Number of the newest entry: a reader whose entries are not contiguous up to here has missed some. */
  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  add(event: EndpointEvent): void {
    this.#log.add({ atMs: Date.now(), ...event });
  }

  after(seq?: number): EndpointLogEntry[] {
    return this.#log.after(seq);
  }
}
