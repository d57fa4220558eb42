import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { plainJson } from '../json/plain-json.ts';

/** How long a power failure may take back. A killed process loses nothing. */
const syncMs = 1_000;

/** Where a line stands in its file. */
export interface LinePlace {
  atByte: number;
  /** Without the line break. */
  bytes: number;
}

interface Portion {
  lines: Buffer[];
  bytes: number;
  /** Where it begins, once it is written. */
  written: Promise<number>;
}

const lineBreak = Buffer.from('\n');

/** Appends values to a file, a line of JSON each. One process at a time may have it open. */
export class JsonLinesFile implements AsyncDisposable {
  /** Bytes that were cut off as the file was opened. */
  readonly tornBytes: number;
  readonly #gatherMs: number;
  readonly #file: FileHandle;
  #bytes: number;
  /** Lines that go together in the next write. */
  #next: Portion | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #syncedAtMs = performance.now();
  #syncedBytes: number;
  #syncs: Promise<unknown> = Promise.resolve();
  /** Not begun yet, so that it is for everyone who comes before it is. */
  #nextSync: Promise<number> | undefined;

  private constructor(file: FileHandle, bytes: number, tornBytes: number, gatherMs: number) {
    this.tornBytes = tornBytes;
    this.#gatherMs = gatherMs;
    this.#file = file;
    this.#bytes = bytes;
    this.#syncedBytes = bytes;
  }

  /**
   * Opens a file, and cuts off what a killed process left of its last line. A new one is its owner's alone.
   * @param options `gatherMs`: how long a line waits for others that go in the same write, which costs more than a line @default 10
   */
  static async open(path: string, { gatherMs = 10 }: { gatherMs?: number } = {}): Promise<JsonLinesFile> {
    const file = await open(path, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const wholeBytes = await endOfLastLine(file, size);
      if (wholeBytes < size) await file.truncate(wholeBytes);
      return new JsonLinesFile(file, wholeBytes, size - wholeBytes, gatherMs);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the line has been handed to the system, where no end of this process can take it back. */
  append(value: unknown): Promise<LinePlace> {
    return this.appendText(plainJson(value));
  }

  /** Appends a line that is JSON already. */
  async appendText(text: string): Promise<LinePlace> {
    const line = Buffer.from(text);
    const portion = (this.#next ??= this.#newPortion());
    const offset = portion.bytes;
    portion.lines.push(line, lineBreak);
    portion.bytes += line.length + 1;
    return { atByte: (await portion.written) + offset, bytes: line.length };
  }

  /** @returns how many bytes the file has, all of which a power failure leaves there */
  sync(): Promise<number> {
    this.#nextSync ??= this.#syncs.then(() => this.#sync());
    this.#syncs = this.#nextSync.catch(() => undefined);
    return this.#nextSync;
  }

  async close(): Promise<void> {
    try {
      await this.sync();
    } finally {
      await this.#file.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #sync(): Promise<number> {
    await this.#tail;
    this.#nextSync = undefined;
    const bytes = this.#bytes;
    if (this.#syncedBytes >= bytes) return bytes;
    await this.#file.datasync();
    this.#syncedBytes = bytes;
    return bytes;
  }

  #newPortion(): Portion {
    const gathered = this.#gatherMs === 0 ? this.#tail : Promise.all([this.#tail, after(this.#gatherMs)]);
    const written = gathered.then(() => this.#write());
    // A failed write must not fail the next one: its callers were told.
    this.#tail = written.catch(() => undefined);
    return { lines: [], bytes: 0, written };
  }

  async #write(): Promise<number> {
    const { lines, bytes } = this.#next!;
    this.#next = undefined;
    const atByte = this.#bytes;
    try {
      await this.#file.appendFile(Buffer.concat(lines, bytes));
    } catch (error) {
      // A full disk may have taken a part of it, and the next line would be glued to that.
      await this.#file.truncate(atByte).catch(() => undefined);
      throw error;
    }
    this.#bytes += bytes;
    if (performance.now() - this.#syncedAtMs >= syncMs) {
      this.#syncedAtMs = performance.now();
      await this.#file.datasync();
      this.#syncedBytes = this.#bytes;
    }
    return atByte;
  }
}

const portionBytes = 1 << 16;

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(portionBytes);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - portionBytes);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(10);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
