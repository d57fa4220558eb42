import type { IncomingMessage } from 'node:http';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import type { ReplyNotes } from '../../engines/engine-transport.ts';
import type { KnownSession } from '../../sessions/session-directory.ts';
import type { ClientReply } from '../../http/client-reply.ts';
import type { ProxyTarget } from '../../http/proxy-path.ts';

/** Why a call was given up. */
export type CallCancellation = 'client_gone' | 'expired' | 'closing' | 'finished';

/** One call of an agent, from its arrival to the end of its answer. */
export class Call {
  readonly request: IncomingMessage;
  readonly reply: ClientReply;
  readonly target: ProxyTarget;
  /** Milliseconds since the Unix epoch. */
  readonly arrivedAtMs: number = Date.now();
  /** What the trainer had announced when the call arrived. */
  readonly weightVersion: number | undefined;
  body: Uint8Array = Buffer.alloc(0);
  /** Headers for the engine. */
  headers: Readonly<Record<string, string | string[]>> = {};
  /** Undefined: served, and nothing is kept. */
  session: KnownSession | undefined;
  /** The session in which it counts as a turn unless it fails. */
  turnOf: string | undefined;
  stream = false;
  /** The kind of engine that answered last. */
  engine: EngineFlavour | undefined;
  /** Of the answer that came last. */
  replyNotes: Readonly<ReplyNotes> | undefined;
  /** What the engine took in all. */
  engineMs: number | undefined;

  readonly #startedAt = performance.now();
  readonly #cancel = new AbortController();
  #cancelledBecause: CallCancellation | undefined;

  constructor(request: IncomingMessage, reply: ClientReply, target: ProxyTarget, weightVersion?: number) {
    this.request = request;
    this.reply = reply;
    this.target = target;
    this.weightVersion = weightVersion;
  }

  /** Aborted when the call is given up; whoever works for it stops. */
  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  get cancelledBecause(): CallCancellation | undefined {
    return this.#cancelledBecause;
  }

  /** Time since the arrival. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** The first reason counts. */
  cancel(reason: CallCancellation): void {
    this.#cancelledBecause ??= reason;
    this.#cancel.abort();
  }
}
