import { Inbox } from '../wire/inbox.ts';
import type { Outbox } from '../wire/outbox.ts';
import { mostHeadBytes, mostStreams } from '../wire/reach-limits.ts';
import {
  badWire,
  readWindow,
  type ReachRecord,
  recordType,
  writeRecord,
  writeWindow,
} from '../wire/record.ts';
import { LinkStream, type StreamEvents } from './link-stream.ts';

const longestReason = 500;

export interface LinkStreamsDeps {
  outbox: Outbox;
  /** There is something to send. */
  plan: () => void;
  /** The other side opens a stream. @returns what happens to it; undefined where streams are only opened from here */
  onStream: (stream: LinkStream, head: Buffer) => StreamEvents | undefined;
}

/** The streams of a link that are open, and what becomes of their records. */
export class LinkStreams {
  readonly #deps: LinkStreamsDeps;
  readonly #inbox = new Inbox();
  readonly #open = new Map<number, { stream: LinkStream; events: StreamEvents }>();
  #lastOpened = 0;

  constructor(deps: LinkStreamsDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream from here; its events come from now on. */
  open(head: Buffer, events: StreamEvents): LinkStream {
    this.#lastOpened += 1;
    const stream = this.#newStream(this.#lastOpened, events);
    this.#deps.outbox.record(stream.id, writeRecord(recordType.open, stream.id, head));
    this.#deps.plan();
    return stream;
  }

  /** A record of a stream has come. @throws ArtError `ART_REACH_WIRE` */
  take(record: ReachRecord): void {
    const { type, stream: id, payload } = record;
    if (type === recordType.open) return this.#takeOpen(id, payload);
    if (type === recordType.window) {
      if (!this.#deps.outbox.grant(id, readWindow(record)))
        throw badWire('no more bytes given back than were sent');
      return this.#drained(id);
    }
    // One that was broken off from here may still have something on its way.
    const known = this.#open.get(id);
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

  /** A message has left, so streams that were full may have room. */
  sent(): void {
    for (const id of this.#open.keys()) this.#drained(id);
  }

  /** The socket has ended. */
  lost(): void {
    const streams = [...this.#open.values()];
    this.#open.clear();
    for (const { events } of streams) events.onReset(undefined);
  }

  #takeOpen(id: number, head: Buffer): void {
    if (id <= this.#lastOpened) throw badWire(`a stream after ${this.#lastOpened}, got ${id}`);
    if (this.#open.size >= mostStreams) throw badWire(`at most ${mostStreams} streams at once`);
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
    later.events = this.#deps.onStream(stream, head);
    if (later.events === undefined) throw badWire('no streams of the other side');
  }

  #newStream(id: number, events: StreamEvents): LinkStream {
    const { outbox, plan } = this.#deps;
    const stream = new LinkStream(id, {
      record: (type, payload, isLast) => {
        outbox.record(id, writeRecord(type, id, payload), isLast);
        plan();
        if (isLast) this.#forgetDone(stream);
      },
      data: (bytes) => {
        outbox.data(id, bytes);
        plan();
      },
      queuedBytes: () => outbox.queuedBytes(id),
      isRead: () => outbox.isRead(id),
      read: (bytes) => this.#giveBack(id, this.#inbox.read(id, bytes)),
      reset: (reason) => {
        if (!this.#open.has(id)) return;
        this.#forget(id);
        outbox.urgent(writeRecord(recordType.reset, id, shortText(reason)));
        plan();
      },
    });
    this.#inbox.open(id);
    this.#open.set(id, { stream, events });
    return stream;
  }

  #giveBack(id: number, bytes: number): void {
    if (bytes === 0) return;
    this.#deps.outbox.urgent(writeWindow(id, bytes));
    this.#deps.plan();
  }

  #forgetDone(stream: LinkStream): void {
    if (stream.isRemoteDone && stream.isLocalDone) this.#open.delete(stream.id);
  }

  #forget(id: number): void {
    this.#open.delete(id);
    this.#deps.outbox.drop(id);
    this.#inbox.drop(id);
  }

  #drained(id: number): void {
    const known = this.#open.get(id);
    if (known?.stream.isFull === false) known.events.onDrain?.();
  }
}

/** Why something ended, for the other side. */
export function shortText(text: string): Buffer {
  return Buffer.from(text.slice(0, longestReason));
}
