import { readFile, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '@art/ground';
import { diskFailure } from './disk-failure.ts';
import type { OpenFiles } from './open-files.ts';
import type { LogRecord, CaptureSessionLog } from '../session-log.ts';
import { encodeFrame, frameAt, frameKinds } from './frame.ts';

/** A file that records are only ever added to. One writer at a time. It is there from the first record on. */
export class FrameFile implements CaptureSessionLog {
  readonly path: string;
  readonly #files: OpenFiles;
  #size: number;
  // Behind `size` there may be the beginning of a record that could not be taken back.
  #isClean = true;

  /** @param size up to where its whole records are */
  constructor(files: OpenFiles, path: string, size = 0) {
    this.path = path;
    this.#files = files;
    this.#size = size;
  }

  /** Up to where its whole records are. */
  get size(): number {
    return this.#size;
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    const sizeBefore = this.#size;
    const buffers = records.flatMap(encodeFrame);
    const isDurable = this.#files.durability === 'disk';
    try {
      if (!this.#isClean) await this.rewind(sizeBefore);
      await this.#files.use(this.path, sizeBefore === 0 ? 'w' : 'r+', async (file) => {
        this.#size = await writeAll(file, buffers, sizeBefore);
        if (isDurable) await file.datasync();
      });
      // The name of a new file must survive as well as what is in it.
      if (isDurable && sizeBefore === 0) await syncDirectory(dirname(this.path));
    } catch (error) {
      await this.rewind(sizeBefore).catch(() => undefined);
      throw diskFailure(this.path, error);
    }
  }

  /** Takes back what is behind `size`; a file without a record is removed. @throws what the file system says */
  async rewind(size: number): Promise<void> {
    this.#size = size;
    this.#isClean = false;
    if (size === 0) await this.remove();
    else await this.#files.use(this.path, 'r+', (file) => file.truncate(size));
    this.#isClean = true;
  }

  async captures(count: number): Promise<Buffer[]> {
    try {
      const bytes = await readFile(this.path);
      const captures: Buffer[] = [];
      let offset = 0;
      while (captures.length < count) {
        const frame = frameAt(bytes, offset);
        if (frame === undefined) throw new Error(`the record of capture ${captures.length} is damaged`);
        if (frame.kind === frameKinds.capture) captures.push(frame.body);
        offset += frame.length;
      }
      return captures;
    } catch (error) {
      throw diskFailure(this.path, error);
    }
  }

  /** One that is gone already is no error. */
  async remove(): Promise<void> {
    try {
      await this.#files.close(this.path);
      await unlink(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw diskFailure(this.path, error);
    }
  }
}

/** Writes buffers from a place on; the place behind them. */
async function writeAll(file: FileHandle, buffers: readonly Buffer[], from: number): Promise<number> {
  let at = from;
  let rest = buffers.filter((buffer) => buffer.byteLength > 0);
  while (rest.length > 0) {
    // The system's limit of buffers a call (IOV_MAX) is 1,024 on Linux and macOS.
    const { bytesWritten } = await file.writev(rest.slice(0, 1_024), at);
    at += bytesWritten;
    rest = dropBytes(rest, bytesWritten);
  }
  return at;
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
