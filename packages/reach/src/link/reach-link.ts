import type { Clock } from '@art/async';
import type { ArtError } from '@art/protocol';
import { reachError } from '../reach-error.ts';
import { Inbox } from '../wire/inbox.ts';
import { isAcknowledgement, Outbox } from '../wire/outbox.ts';
import {
  deadAfterMs,
  mostHeadBytes,
  mostStreams,
  pingIntervalMs,
  type ReachLimits,
} from '../wire/reach-limits.ts';
import {
  badWire,
  readRecords,
  readWindow,
  recordHeaderBytes,
  type ReachRecord,
  recordType,
  writeRecord,
  writeWindow,
} from '../wire/record.ts';
import { LinkStream, type StreamEvents } from './link-stream.ts';

/** What carries messages, whole and in order; the WebSocket of a session. */
export interface LinkSocket {
  send(message: Uint8Array): void;
  /** Ends it, with what was sent before. */
  close(): void;
  /** Ends it at once. */
  terminate(): void;
}

export interface LinkEvents {
  /** The first record of the other side; nothing else is taken before `accept`. @throws to end the socket */
  onHello(link: ReachLink, hello: Buffer): void;
  /** The other side opens a stream. @returns what happens to it; undefined where streams are only opened from here */
  onStream(stream: LinkStream, head: Buffer): StreamEvents | undefined;
  /** The socket has ended, for whatever reason; its streams have been told. */
  onEnd(link: ReachLink, error: ArtError): void;
}

export interface ReachLinkDeps {
  socket: LinkSocket;
  limits: ReachLimits;
  clock: Clock;
  events: LinkEvents;
}

const longestReason = 500;

/**
 * One side of a socket into a session: packs what its streams send into messages, at a pace that AgentCore allows, and takes
 * messages apart. Does no I/O of its own.
 */
export class ReachLink {
  readonly #deps: ReachLinkDeps;
  readonly #outbox: Outbox;
  readonly #inbox = new Inbox();
  readonly #streams = new Map<number, { stream: LinkStream; events: StreamEvents }>();
  #limits: ReachLimits;
  #isAccepted = false;
  /** What the answers to pings are given to; they come in order. */
  readonly #pings: ((payload: Buffer) => void)[] = [];
  #lastOpened = 0;
  #sentAtMs = -Infinity;
  #heardAtMs: number;
  #isFlushPlanned = false;
  #cancelFlush: (() => void) | undefined;
  #cancelPing: (() => void) | undefined;
  #end: ArtError | undefined;

  constructor(deps: ReachLinkDeps) {
    this.#deps = deps;
    this.#limits = deps.limits;
    this.#outbox = new Outbox(deps.limits.messageBytes);
    this.#heardAtMs = deps.clock.nowMs();
    this.#planPing();
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** From here on streams are taken. @param limits what to keep to from now on. @default as before */
  accept(limits = this.#limits): void {
    this.#isAccepted = true;
    this.#limits = limits;
    this.#outbox.messageBytes = limits.messageBytes;
  }

  hello(json: object): void {
    this.#urgent(writeRecord(recordType.hello, 0, Buffer.from(JSON.stringify(json))));
  }

  /** Opens a stream; its events come from now on. @param head at most 16 KB */
  open(head: Buffer, events: StreamEvents): LinkStream {
    this.#lastOpened += 1;
    const stream = this.#newStream(this.#lastOpened, events);
    this.#outbox.record(stream.id, writeRecord(recordType.open, stream.id, head));
    this.#planFlush();
    return stream;
  }

  /**
   * Asks for an answer.
   * @param payload comes back with it, as far as it fits into a message of each side
   */
  ping(payload?: Buffer, onPong: (payload: Buffer) => void = () => {}): void {
    this.#pings.push(onPong);
    this.#urgent(writeRecord(recordType.ping, 0, payload?.subarray(0, this.#mostPingBytes)));
  }

  /** Says why, and ends the socket. */
  bye(reason: string): void {
    if (this.#end !== undefined) return;
    const { socket } = this.#deps;
    // Beside the pace of the others, once: nothing comes after it.
    socket.send(writeRecord(recordType.bye, 0, shortText(reason)));
    this.#finish(reachError('ART_REACH_LOST', `The socket was closed: ${reason}.`));
    socket.close();
  }

  /** A message has come. */
  receive(message: Buffer): void {
    if (this.#end !== undefined) return;
    this.#heardAtMs = this.#deps.clock.nowMs();
    try {
      const records = readRecords(message);
      if (!isAcknowledgement(records)) this.#outbox.received();
      for (const record of records) if (this.#end === undefined) this.#take(record);
    } catch (error) {
      this.#break(error as ArtError);
    }
    this.#planFlush();
  }

  /** The socket is gone. */
  lost(why: string): void {
    this.#break(reachError('ART_REACH_LOST', `The socket into the session was lost: ${why}.`));
  }

  #take(record: ReachRecord): void {
    const { type, stream: id, payload } = record;
    if (type === recordType.bye)
      return this.#break(
        reachError(this.#isAccepted ? 'ART_REACH_LOST' : 'ART_REACH_REFUSED', payload.toString()),
      );
    if (type === recordType.hello) return this.#deps.events.onHello(this, payload);
    if (type === recordType.window && id === 0) return this.#takeMessageCredit(record);
    if (!this.#isAccepted) throw badWire(`a hello first, got a record of type ${type}`);
    if (type === recordType.ping)
      return this.#urgent(writeRecord(recordType.pong, 0, payload.subarray(0, this.#mostPingBytes)));
    if (type === recordType.pong) return this.#pings.shift()?.(payload);
    if (type === recordType.open) return this.#takeOpen(id, payload);
    return this.#takeOfStream(record);
  }

  #takeMessageCredit(record: ReachRecord): void {
    if (!this.#outbox.grantMessages(readWindow(record)))
      throw badWire('no more messages acknowledged than were sent');
  }

  #takeOpen(id: number, head: Buffer): void {
    if (id <= this.#lastOpened) throw badWire(`a stream after ${this.#lastOpened}, got ${id}`);
    if (this.#streams.size >= mostStreams) throw badWire(`at most ${mostStreams} streams at once`);
    if (head.length > mostHeadBytes) throw badWire(`a head of at most ${mostHeadBytes} bytes`);
    this.#lastOpened = id;
    const later: { events?: StreamEvents | undefined } = {};
    const stream = this.#newStream(id, {
      onHead: (bytes) => later.events?.onHead?.(bytes),
      onData: (bytes) => later.events?.onData(bytes),
      onEnd: () => later.events?.onEnd(),
      onDrain: () => later.events?.onDrain?.(),
      onReset: (reason) => later.events?.onReset(reason),
    });
    later.events = this.#deps.events.onStream(stream, head);
    if (later.events === undefined) throw badWire('no streams of the other side');
  }

  #takeOfStream(record: ReachRecord): void {
    const { type, stream: id, payload } = record;
    if (type === recordType.window) {
      if (!this.#outbox.grant(id, readWindow(record)))
        throw badWire('no more bytes given back than were sent');
      return this.#drained(id);
    }
    // One that was broken off from here may still have something on its way.
    const known = this.#streams.get(id);
    if (known === undefined) return undefined;
    const { stream, events } = known;
    if (type === recordType.reset) {
      this.#forget(id);
      return events.onReset(payload.toString());
    }
    if (stream.isRemoteDone) throw badWire('nothing after the end of a stream');
    if (type === recordType.data) {
      this.#inbox.received(id, payload.length);
      return events.onData(payload);
    }
    if (type === recordType.head) {
      if (payload.length > mostHeadBytes) throw badWire(`a head of at most ${mostHeadBytes} bytes`);
      return events.onHead?.(payload);
    }
    stream.isRemoteDone = true;
    this.#giveBack(id, this.#inbox.ended(id));
    this.#forgetDone(stream);
    return events.onEnd();
  }

  #newStream(id: number, events: StreamEvents): LinkStream {
    const stream = new LinkStream(id, {
      record: (type, payload, isLast) => {
        this.#outbox.record(id, writeRecord(type, id, payload), isLast);
        this.#planFlush();
        if (isLast) this.#forgetDone(stream);
      },
      data: (bytes) => {
        this.#outbox.data(id, bytes);
        this.#planFlush();
      },
      queuedBytes: () => this.#outbox.queuedBytes(id),
      read: (bytes) => this.#giveBack(id, this.#inbox.read(id, bytes)),
      reset: (reason) => {
        if (!this.#streams.has(id)) return;
        this.#forget(id);
        this.#urgent(writeRecord(recordType.reset, id, shortText(reason)));
      },
    });
    this.#inbox.open(id);
    this.#streams.set(id, { stream, events });
    return stream;
  }

  #giveBack(id: number, bytes: number): void {
    if (bytes > 0) this.#urgent(writeWindow(id, bytes));
  }

  #forgetDone(stream: LinkStream): void {
    if (stream.isRemoteDone && stream.isLocalDone) this.#streams.delete(stream.id);
  }

  #forget(id: number): void {
    this.#streams.delete(id);
    this.#outbox.drop(id);
    this.#inbox.drop(id);
  }

  #drained(id: number): void {
    const known = this.#streams.get(id);
    if (known?.stream.isFull === false) known.events.onDrain?.();
  }

  get #mostPingBytes(): number {
    return this.#outbox.roomBytes - recordHeaderBytes;
  }

  #urgent(record: Buffer): void {
    if (this.#end !== undefined) return;
    this.#outbox.urgent(record);
    this.#planFlush();
  }

  #planFlush(): void {
    if (this.#isFlushPlanned || this.#end !== undefined) return;
    this.#isFlushPlanned = true;
    const { clock } = this.#deps;
    const waitMs = this.#sentAtMs + this.#limits.messageIntervalMs - clock.nowMs();
    // What one turn of the event loop brings goes together, also where nothing has to wait.
    if (waitMs <= 0) queueMicrotask(() => this.#flush());
    else this.#cancelFlush = clock.after(waitMs, () => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#end !== undefined) return;
    const nowMs = this.#deps.clock.nowMs();
    // A timer may come a little early.
    if (nowMs < this.#sentAtMs + this.#limits.messageIntervalMs) return this.#planFlush();
    const message = this.#outbox.next();
    if (message === undefined) return;
    this.#sentAtMs = nowMs;
    this.#deps.socket.send(message);
    for (const id of this.#streams.keys()) this.#drained(id);
    this.#planFlush();
  }

  #planPing(): void {
    const { clock } = this.#deps;
    this.#cancelPing = clock.after(pingIntervalMs, () => {
      if (clock.nowMs() - this.#heardAtMs >= deadAfterMs)
        return this.lost(`nothing came for ${deadAfterMs} ms`);
      this.#planPing();
      if (this.#isAccepted) this.ping();
    });
  }

  #break(error: ArtError): void {
    if (this.#end !== undefined) return;
    this.#finish(error);
    this.#deps.socket.terminate();
  }

  #finish(error: ArtError): void {
    this.#end = error;
    this.#cancelFlush?.();
    this.#cancelPing?.();
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const { events } of streams) events.onReset(undefined);
    this.#deps.events.onEnd(this, error);
  }
}

function shortText(text: string): Buffer {
  return Buffer.from(text.slice(0, longestReason));
}
