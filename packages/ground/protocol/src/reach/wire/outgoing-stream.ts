import { recordHeaderBytes, recordType, writeRecord } from './record.ts';
import { streamWindowBytes } from './reach-limits.ts';

type Item = { kind: 'record'; bytes: Buffer; isLast: boolean } | { kind: 'data'; bytes: Buffer };

/** Bytes that one stream has to send, in its order, within the credit that its reader gave. */
export class OutgoingStream {
  readonly #id: number;
  readonly #items: Item[] = [];
  #queuedBytes = 0;
  #credit = streamWindowBytes;
  #hasEnded = false;

  constructor(id: number) {
    this.#id = id;
  }

  /** Bytes that were taken and that the reader has not given back. */
  get unreadBytes(): number {
    return streamWindowBytes - this.#credit;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get hasItems(): boolean {
    return this.#items.length > 0;
  }

  /** True if the end was taken. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  record(bytes: Buffer, isLast = false): void {
    this.#items.push({ kind: 'record', bytes, isLast });
  }

  data(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#items.push({ kind: 'data', bytes });
    this.#queuedBytes += bytes.length;
  }

  /** @returns false where the reader gives back more than there is */
  grant(bytes: number): boolean {
    this.#credit += bytes;
    return this.#credit <= streamWindowBytes;
  }

  /**
   * The next record of at most `room` bytes; undefined where there is none that fits.
   * @param mostData how much of the stream's bytes the record may carry
   */
  take(room: number, mostData: number): Buffer | undefined {
    const [item] = this.#items;
    if (item === undefined) return undefined;
    if (item.kind === 'record') {
      if (item.bytes.length > room) return undefined;
      this.#items.shift();
      this.#hasEnded ||= item.isLast;
      return item.bytes;
    }
    const length = Math.min(item.bytes.length, room - recordHeaderBytes, mostData, this.#credit);
    if (length <= 0) return undefined;
    const bytes = item.bytes.subarray(0, length);
    if (length === item.bytes.length) this.#items.shift();
    else item.bytes = item.bytes.subarray(length);
    this.#credit -= length;
    this.#queuedBytes -= length;
    return writeRecord(recordType.data, this.#id, bytes);
  }
}
