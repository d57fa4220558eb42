import { type RecordType, recordType } from '../wire/record.ts';

/** Events of a stream. */
export interface StreamEvents {
  onHead?(bytes: Buffer): void;
  /** To be given back by `stream.read` when it has been used. */
  onData(bytes: Buffer): void;
  onEnd(): void;
  /** There is room again, after `data` answered false. May be called more often. */
  onDrain?(): void;
  /** It broke off. @param reason of the other side; undefined where the socket was lost */
  onReset(reason: string | undefined): void;
}

interface StreamDoor {
  record(type: RecordType, payload: Uint8Array | undefined, isLast: boolean): void;
  data(bytes: Buffer): void;
  queuedBytes(): number;
  isRead(): boolean;
  read(bytes: number): void;
  reset(reason: string): void;
}

// More than goes into two messages need not wait here.
const fullBytes = 65_536;

/** One call on a socket: a head, bytes and an end in each direction. */
export class LinkStream {
  readonly id: number;
  isLocalDone = false;
  isRemoteDone = false;
  readonly #door: StreamDoor;

  constructor(id: number, door: StreamDoor) {
    this.id = id;
    this.#door = door;
  }

  get isFull(): boolean {
    return this.#door.queuedBytes() >= fullBytes;
  }

  /** True if all was sent, and the other side has read all its bytes. */
  get isRead(): boolean {
    return this.isLocalDone && this.#door.isRead();
  }

  /** @param bytes at most 16 KB */
  head(bytes: Buffer): void {
    if (!this.isLocalDone) this.#door.record(recordType.head, bytes, false);
  }

  /** @returns whether more is wanted before `onDrain` */
  data(bytes: Buffer): boolean {
    if (this.isLocalDone) return false;
    this.#door.data(bytes);
    return !this.isFull;
  }

  end(): void {
    if (this.isLocalDone) return;
    this.isLocalDone = true;
    this.#door.record(recordType.end, undefined, true);
  }

  /** So many bytes have been used. */
  read(bytes: number): void {
    this.#door.read(bytes);
  }

  /** Breaks it off; `onReset` is not called. Does nothing once it is over. */
  reset(reason: string): void {
    this.isLocalDone = true;
    this.#door.reset(reason);
  }
}
