import { socketWindowBytes, streamWindowBytes } from './reach-limits.ts';
import { badWire } from './record.ts';

// A window is given back in quarters: few records, and a sender that never stands still.
const worthGivingBack = streamWindowBytes / 4;

interface IncomingStream {
  heldBytes: number;
  readBytes: number;
  hasEnded: boolean;
}

/** Received bytes of each stream that were not read yet, held against the credit that was given. */
export class Inbox {
  readonly #streams = new Map<number, IncomingStream>();
  #heldBytes = 0;

  open(stream: number): void {
    this.#streams.set(stream, { heldBytes: 0, readBytes: 0, hasEnded: false });
  }

  /** @throws ArtError `ART_REACH_WIRE` where more came than was allowed */
  received(stream: number, bytes: number): void {
    const incoming = this.#streams.get(stream);
    if (incoming === undefined) return;
    incoming.heldBytes += bytes;
    this.#heldBytes += bytes;
    if (incoming.heldBytes > streamWindowBytes)
      throw badWire(`at most ${streamWindowBytes} unread bytes of a stream, got ${incoming.heldBytes}`);
    if (this.#heldBytes > socketWindowBytes)
      throw badWire(`at most ${socketWindowBytes} unread bytes, got ${this.#heldBytes}`);
  }

  /** @returns how much is to be given back now, 0 for nothing */
  read(stream: number, bytes: number): number {
    const incoming = this.#streams.get(stream);
    if (incoming === undefined) return 0;
    incoming.readBytes += bytes;
    return this.#giveBack(stream, incoming);
  }

  /** Nothing follows on a stream. @returns as `read` */
  ended(stream: number): number {
    const incoming = this.#streams.get(stream);
    if (incoming === undefined) return 0;
    incoming.hasEnded = true;
    return this.#giveBack(stream, incoming);
  }

  drop(stream: number): void {
    this.#heldBytes -= this.#streams.get(stream)?.heldBytes ?? 0;
    this.#streams.delete(stream);
  }

  #giveBack(stream: number, incoming: IncomingStream): number {
    const { readBytes, heldBytes, hasEnded } = incoming;
    const isAllRead = hasEnded && readBytes === heldBytes;
    if (!isAllRead && readBytes < worthGivingBack) return 0;
    incoming.heldBytes -= readBytes;
    incoming.readBytes = 0;
    this.#heldBytes -= readBytes;
    if (isAllRead) this.#streams.delete(stream);
    return readBytes;
  }
}
