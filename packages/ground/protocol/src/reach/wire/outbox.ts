import { OutgoingStream } from './outgoing-stream.ts';
import { messagesOnTheWay, socketWindowBytes } from './reach-limits.ts';
import { recordHeaderBytes, recordType, writeWindow } from './record.ts';

// Of one stream in one turn: a message of 24 KB then has room for several streams.
const turnBytes = 4_096;
const ackBytes = recordHeaderBytes + 4;
// One acknowledgement for so many messages; the other side has three times as many left.
const messagesToAcknowledge = messagesOnTheWay / 4;

/**
 * Bytes that one side has to send, packed into messages: first those that concern the socket, then the streams in turn.
 * Keeps to the credit of each stream, of all streams together, and of messages on their way.
 */
export class Outbox {
  messageBytes: number;
  readonly #urgent: Buffer[] = [];
  #answerBytes = 0;
  readonly #streams = new Map<number, OutgoingStream>();
  /** Streams that have something to send, the next one first. */
  #turns: number[] = [];
  #unreadBytes = 0;
  #messageCredit = messagesOnTheWay;
  #unacknowledged = 0;

  constructor(messageBytes: number) {
    this.messageBytes = messageBytes;
  }

  /** How long one record may be. */
  get roomBytes(): number {
    return this.messageBytes - ackBytes;
  }

  /** For records that wait for no stream. */
  urgent(record: Buffer): void {
    this.#urgent.push(record);
    this.#answerBytes += answerBytesOf(record);
  }

  /** How much waits here that the other side has caused: all urgent records but pings. */
  get answerBytes(): number {
    return this.#answerBytes;
  }

  /** True if the other side has not acknowledged all messages. */
  get isAwaited(): boolean {
    return this.#messageCredit < messagesOnTheWay;
  }

  /** A message of the other side has come. */
  received(): void {
    this.#unacknowledged += 1;
  }

  /** @param isLast whether the stream has nothing to send after it */
  record(stream: number, record: Buffer, isLast = false): void {
    this.#streamOf(stream).record(record, isLast);
    this.#queue(stream);
  }

  data(stream: number, bytes: Buffer): void {
    this.#streamOf(stream).data(bytes);
    this.#queue(stream);
  }

  /** How much of a stream waits here. */
  queuedBytes(stream: number): number {
    return this.#streams.get(stream)?.queuedBytes ?? 0;
  }

  /** True if a stream was sent to its end, and the other side has given back all its bytes. */
  isRead(stream: number): boolean {
    return !this.#streams.has(stream);
  }

  /** @returns false where the other side gives back more than it got */
  grant(stream: number, bytes: number): boolean {
    const outgoing = this.#streams.get(stream);
    if (outgoing === undefined) return true;
    this.#unreadBytes -= bytes;
    const isRight = outgoing.grant(bytes);
    this.#forgetEnded(stream, outgoing);
    return isRight;
  }

  /** @returns false where the other side acknowledges more than it got */
  grantMessages(count: number): boolean {
    this.#messageCredit += count;
    return this.#messageCredit <= messagesOnTheWay;
  }

  /** A stream broke off: nothing more of it is sent. */
  drop(stream: number): void {
    this.#unreadBytes -= this.#streams.get(stream)?.unreadBytes ?? 0;
    this.#streams.delete(stream);
    this.#turns = this.#turns.filter((id) => id !== stream);
  }

  /** The next message; undefined where nothing may be sent now. */
  next(): Buffer | undefined {
    const parts: Buffer[] = [];
    if (this.#messageCredit > 0) this.#fill(parts, this.roomBytes);
    const carries = parts.length > 0;
    if (carries) this.#messageCredit -= 1;
    // A message that only acknowledges is not acknowledged itself, or two idle sides would continue for ever.
    if (this.#unacknowledged >= (carries ? 1 : messagesToAcknowledge)) {
      parts.push(writeWindow(0, this.#unacknowledged));
      this.#unacknowledged = 0;
    }
    return parts.length === 0 ? undefined : Buffer.concat(parts);
  }

  #fill(parts: Buffer[], roomBytes: number): void {
    let room = roomBytes;
    const add = (record: Buffer): void => {
      parts.push(record);
      room -= record.length;
    };
    while (this.#urgent.length > 0 && this.#urgent[0]!.length <= room) {
      this.#answerBytes -= answerBytesOf(this.#urgent[0]!);
      add(this.#urgent.shift()!);
    }
    if (this.#urgent.length > 0) return;
    for (let passed = 0; passed < this.#turns.length;) {
      const id = this.#turns.shift()!;
      const stream = this.#streams.get(id)!;
      const queued = stream.queuedBytes;
      const record = stream.take(room, Math.min(turnBytes, socketWindowBytes - this.#unreadBytes));
      if (stream.hasItems) this.#turns.push(id);
      passed = record === undefined ? passed + 1 : 0;
      if (record === undefined) continue;
      this.#unreadBytes += queued - stream.queuedBytes;
      add(record);
      this.#forgetEnded(id, stream);
    }
  }

  #streamOf(id: number): OutgoingStream {
    let stream = this.#streams.get(id);
    if (stream === undefined) this.#streams.set(id, (stream = new OutgoingStream(id)));
    return stream;
  }

  #queue(stream: number): void {
    if (this.#streams.get(stream)?.hasItems === true && !this.#turns.includes(stream))
      this.#turns.push(stream);
  }

  // What was sent counts until it was read, also when nothing follows it.
  #forgetEnded(id: number, stream: OutgoingStream): void {
    if (stream.hasEnded && stream.unreadBytes === 0) this.#streams.delete(id);
  }
}

function answerBytesOf(record: Buffer): number {
  return record[0] === recordType.ping ? 0 : record.length;
}

/** True if a message only acknowledges. */
export function isAcknowledgement(records: readonly { type: number; stream: number }[]): boolean {
  return records.every(({ type, stream }) => type === recordType.window && stream === 0);
}
