import { open, unlink, type FileHandle } from 'node:fs/promises';
import { diskFailure } from './disk-failure.ts';
import { frameAt, type Frame } from './frame.ts';

/** Where a frame is. */
export interface FrameLocation {
  readonly segment: Segment;
  readonly offset: number;
  readonly length: number;
}

/** One file of the log. It may be given up while somebody reads from it: the file closes behind the last reader. */
export class Segment {
  readonly number: number;
  readonly path: string;
  /** Up to where frames are written. */
  size: number;
  readonly #file: FileHandle;
  #readers = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';

  private constructor(number: number, path: string, file: FileHandle, size: number) {
    this.number = number;
    this.path = path;
    this.#file = file;
    this.size = size;
  }

  /** Opens a segment, made if need be. @throws ArtError `ART_GATEWAY_STORE_FULL`, `ART_GATEWAY_STORE_FAILED` */
  static async open(number: number, path: string, mode: 'create' | 'existing'): Promise<Segment> {
    try {
      const file = await open(path, mode === 'create' ? 'wx+' : 'r+', 0o600);
      return new Segment(number, path, file, (await file.stat()).size);
    } catch (error) {
      throw diskFailure(path, error);
    }
  }

  /** Writes buffers behind what is there. What was written of them when it fails is taken back by `rewind`. */
  async write(buffers: readonly Buffer[]): Promise<void> {
    let at = this.size;
    let rest = buffers.filter((buffer) => buffer.byteLength > 0);
    while (rest.length > 0) {
      // The system's limit of buffers a call (IOV_MAX) is 1,024 on Linux and macOS.
      const { bytesWritten } = await this.#file.writev(rest.slice(0, 1_024), at);
      at += bytesWritten;
      rest = dropBytes(rest, bytesWritten);
    }
    this.size = at;
  }

  /** Cuts the file to `size`. */
  async rewind(): Promise<void> {
    await this.#file.truncate(this.size);
  }

  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  /** @throws ArtError `ART_GATEWAY_STORE_FAILED`, also where the frame is not what was written */
  async read(location: FrameLocation): Promise<Frame> {
    const bytes = Buffer.allocUnsafeSlow(location.length);
    await this.#use(async () => {
      let filled = 0;
      while (filled < bytes.byteLength) {
        const { bytesRead } = await this.#file.read(
          bytes,
          filled,
          bytes.byteLength - filled,
          location.offset + filled,
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
    });
    const frame = frameAt(bytes, 0);
    if (frame !== undefined) return frame;
    throw diskFailure(this.path, new Error(`the record at byte ${location.offset} is damaged`));
  }

  /** All bytes up to `size`. */
  async readAll(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    await this.#use(async () => {
      let filled = 0;
      while (filled < bytes.byteLength) {
        const { bytesRead } = await this.#file.read(bytes, filled, bytes.byteLength - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
    });
    return bytes;
  }

  async remove(): Promise<void> {
    await unlink(this.path);
    await this.close();
  }

  /** Closes the file as soon as nobody reads from it. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    await this.#closeIfUnused();
  }

  async #use(work: () => Promise<void>): Promise<void> {
    this.#readers += 1;
    try {
      await work();
    } catch (error) {
      throw diskFailure(this.path, error);
    } finally {
      this.#readers -= 1;
      await this.#closeIfUnused();
    }
  }

  async #closeIfUnused(): Promise<void> {
    if (this.#state !== 'closing' || this.#readers > 0) return;
    this.#state = 'closed';
    await this.#file.close();
  }
}

function dropBytes(buffers: readonly Buffer[], count: number): Buffer[] {
  let left = count;
  const rest: Buffer[] = [];
  for (const buffer of buffers) {
    if (left >= buffer.byteLength) left -= buffer.byteLength;
    else {
      rest.push(buffer.subarray(left));
      left = 0;
    }
  }
  return rest;
}
