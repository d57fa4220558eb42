import type { Clock, ArtError } from '@art/ground';
import { reachError } from '../reach-error.ts';
import { isAcknowledgement, Outbox } from '../wire/outbox.ts';
import { deadAfterMs, pingIntervalMs, type ReachLimits, socketWindowBytes } from '../wire/reach-limits.ts';
import {
  badWire,
  readRecords,
  readWindow,
  recordHeaderBytes,
  type ReachRecord,
  recordType,
  writeRecord,
} from '../wire/record.ts';
import type { LinkStream, StreamEvents } from './link-stream.ts';
import { LinkStreams, shortText } from './link-streams.ts';
import { MessagePace } from './message-pace.ts';

/** Carries messages, whole and in order; the WebSocket of a session. */
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

/**
 * One side of a socket into a session: packs what its streams send into messages, at a pace that AgentCore allows, and takes
 * messages apart. Does no I/O of its own.
 *
 * Node's `http2` over the socket was tried in its place (Node 24.21, messages of at most 24,576 bytes, one each 5 ms). Its delay is as good: 64
 * streams of a token each 10 ms had a p50 of 0.7 ms and a p99 of 13.4 ms, at 132 messages a second. Two things decided against it. Its windows
 * count bytes and AgentCore counts messages: after a network stood still for 2 s, one stream of small tokens had 105 messages on the way, where
 * this link stops at 40, and they would arrive at one instant. And a head of 70,000 bytes destroyed the session with all of its streams, where
 * here it is a 431 for one call. Packing, pace, credit by messages, hello and bye would have to stand around it all the same, which is
 * more than half of these lines.
 */
export class ReachLink {
  readonly #deps: ReachLinkDeps;
  readonly #outbox: Outbox;
  readonly #pace: MessagePace;
  readonly #streams: LinkStreams;
  #isAccepted = false;
  /** Receivers of the answers to pings, in the order of the pings. */
  readonly #pings: ((payload: Buffer) => void)[] = [];
  #heardAtMs: number;
  #acknowledgedAtMs: number;
  #cancelPing: (() => void) | undefined;
  #end: ArtError | undefined;

  constructor(deps: ReachLinkDeps) {
    const { socket, limits, clock, events } = deps;
    this.#deps = deps;
    const outbox = new Outbox(limits.messageBytes);
    this.#outbox = outbox;
    this.#pace = new MessagePace({
      outbox,
      limits,
      clock,
      send: (message) => {
        socket.send(message);
        this.#streams.sent();
      },
    });
    this.#streams = new LinkStreams({
      outbox,
      plan: () => this.#pace.plan(),
      onStream: (stream, head) => events.onStream(stream, head),
    });
    this.#heardAtMs = clock.nowMs();
    this.#acknowledgedAtMs = this.#heardAtMs;
    this.#planPing();
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** From here on streams are taken. @param limits what to keep to from now on. @default as before */
  accept(limits = this.#pace.limits): void {
    this.#isAccepted = true;
    this.#pace.limits = limits;
  }

  hello(json: object): void {
    this.#urgent(writeRecord(recordType.hello, 0, Buffer.from(JSON.stringify(json))));
  }

  /** Opens a stream; its events come from now on. @param head at most 16 KB */
  open(head: Buffer, events: StreamEvents): LinkStream {
    return this.#streams.open(head, events);
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
      if (this.#outbox.answerBytes > socketWindowBytes)
        throw badWire(`at most ${socketWindowBytes} bytes of answers that wait for acknowledgements`);
    } catch (error) {
      this.#break(error as ArtError);
    }
    this.#pace.plan();
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
    return this.#streams.take(record);
  }

  #takeMessageCredit(record: ReachRecord): void {
    if (!this.#outbox.grantMessages(readWindow(record)))
      throw badWire('no more messages acknowledged than were sent');
    this.#acknowledgedAtMs = this.#deps.clock.nowMs();
  }

  get #mostPingBytes(): number {
    return this.#outbox.roomBytes - recordHeaderBytes;
  }

  #urgent(record: Buffer): void {
    this.#outbox.urgent(record);
    this.#pace.plan();
  }

  #planPing(): void {
    const { clock } = this.#deps;
    this.#cancelPing = clock.after(pingIntervalMs, () => {
      if (clock.nowMs() - this.#heardAtMs >= deadAfterMs)
        return this.lost(`nothing came for ${deadAfterMs} ms`);
      // The answers to pings acknowledge, so a side that is alive does it twice in that time.
      if (this.#outbox.isAwaited && clock.nowMs() - this.#acknowledgedAtMs >= deadAfterMs)
        return this.lost(`nothing was acknowledged for ${deadAfterMs} ms`);
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
    this.#pace.end();
    this.#cancelPing?.();
    this.#streams.lost();
    this.#deps.events.onEnd(this, error);
  }
}
