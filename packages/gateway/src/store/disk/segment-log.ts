import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtError } from '@art/protocol';
import { diskFailure, isDiskFull } from './disk-failure.ts';
import { encodeFrame, frameHeaderBytes, type FrameKind } from './frame.ts';
import { makeDirectory } from './make-directory.ts';
import { Reserve } from './reserve.ts';
import { Segment, type FrameLocation } from './segment.ts';

/** A record that is to be written. */
export interface NewFrame {
  kind: FrameKind;
  body: Buffer;
}

export interface SegmentLogOptions {
  directory: string;
  segmentBytes: number;
  durability: 'process' | 'disk';
}

/**
 * What a write may do where the disk is full.
 * - `none`: nothing. It is refused already where the reserve is not whole, so that it does not take what was given back.
 * - `most`: use up the reserve, but for what deletions need. For copies, which win back more than they take.
 * - `all`: use up the reserve. For deletions, which are how a full disk is mended.
 */
export type ReserveUse = 'none' | 'most' | 'all';

const segmentName = /^(\d{10})\.seg$/;
const mebibyte = 1_048_576;
/** Of the reserve for deletions alone: room for the records of some 2,500 sessions. */
const deletionBytes = mebibyte / 4;

/**
 * Files that records are only ever added to, one after the other, and a reserve of space. One writer at a time. The reserve is
 * as large as the log, and no larger than a segment: the live part of any one segment can be copied with it.
 */
export class SegmentLog {
  readonly #options: SegmentLogOptions;
  /** Oldest first; records go to the last one. */
  readonly #segments: Segment[];
  readonly #reserve: Reserve;
  #isShort = false;
  /** Set where nothing more may be written behind the last record: the next one begins another file. */
  #isSealed = false;

  private constructor(options: SegmentLogOptions, segments: Segment[], reserve: Reserve) {
    this.#options = options;
    this.#segments = segments;
    this.#reserve = reserve;
  }

  /** @throws ArtError `ART_GATEWAY_STORE_FAILED`, `ART_GATEWAY_STORE_FULL` */
  static async open(options: SegmentLogOptions): Promise<SegmentLog> {
    const { directory } = options;
    const segments: Segment[] = [];
    try {
      const names = (await readdir(directory)).filter((name) => segmentName.test(name)).toSorted();
      for (const name of names) {
        segments.push(await Segment.open(Number.parseInt(name, 10), join(directory, name), 'existing'));
      }
    } catch (error) {
      for (const segment of segments) await segment.close();
      throw diskFailure(directory, error);
    }
    const log = new SegmentLog(options, segments, await Reserve.open(join(directory, 'reserve')));
    // On a disk that is full already, deletions go on with what an earlier process left.
    await log.fillReserve();
    return log;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The size of all files. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.size, 0);
  }

  /** How much copies may take of the reserve. */
  get sparedBytes(): number {
    return Math.max(0, this.#reserve.bytes - deletionBytes);
  }

  /** Whether the disk was full, and the reserve is not whole since. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Makes the reserve whole again, as far as there is space. @throws ArtError `ART_GATEWAY_STORE_FAILED` */
  async fillReserve(): Promise<void> {
    try {
      await this.#growReserve();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  /** Has the next record begin another file. */
  seal(): void {
    this.#isSealed = true;
  }

  /**
   * Writes records, all or none; where they are. They are with the operating system, or on the disk, when it resolves.
   * @throws ArtError `ART_GATEWAY_STORE_FULL`, `ART_GATEWAY_STORE_FAILED`
   */
  async append(frames: readonly NewFrame[], use: ReserveUse = 'none'): Promise<FrameLocation[]> {
    if (use === 'none') {
      await this.#growReserve();
      return await this.#append(frames);
    }
    const keepBytes = use === 'all' ? 0 : deletionBytes;
    for (
      let bytes = frames.reduce((sum, { body }) => sum + frameHeaderBytes + body.byteLength, 0);
      ;
      bytes *= 2
    ) {
      try {
        return await this.#append(frames);
      } catch (error) {
        // More each time, as another process may have been faster, and files cost more than their bytes.
        if (!isDiskFull(error) || !(await this.#reserve.release(bytes, keepBytes))) throw error;
        this.#isShort = true;
      }
    }
  }

  async #growReserve(): Promise<void> {
    const { segmentBytes } = this.#options;
    if (this.#reserve.bytes >= segmentBytes) return;
    const wanted = Math.max(1, Math.ceil(this.bytes / mebibyte)) * mebibyte;
    try {
      await this.#reserve.grow(Math.min(segmentBytes, wanted));
      this.#isShort = false;
    } catch (error) {
      this.#isShort = true;
      throw error;
    }
  }

  async #append(frames: readonly NewFrame[]): Promise<FrameLocation[]> {
    const segment = await this.#writableSegment();
    const locations: FrameLocation[] = [];
    const buffers: Buffer[] = [];
    const sizeBefore = segment.size;
    let offset = sizeBefore;
    for (const { kind, body } of frames) {
      const parts = encodeFrame(kind, body);
      const length = parts[0].byteLength + parts[1].byteLength;
      locations.push({ segment, offset, length });
      buffers.push(...parts);
      offset += length;
    }
    try {
      await segment.write(buffers);
      if (this.#options.durability === 'disk') await segment.sync();
    } catch (error) {
      segment.size = sizeBefore;
      await segment.rewind().catch(() => {
        this.#isSealed = true;
      });
      throw diskFailure(segment.path, error);
    }
    return locations;
  }

  async sync(): Promise<void> {
    const segment = this.#segments.at(-1);
    if (segment === undefined) return;
    try {
      await segment.sync();
    } catch (error) {
      throw diskFailure(segment.path, error);
    }
  }

  /** Gives up the oldest segment, whose records nobody needs any more. */
  async removeOldest(): Promise<void> {
    const oldest = this.#segments[0];
    if (oldest === undefined) return;
    // What was copied out of it must not be younger than its end, whatever happens to the machine.
    await this.sync();
    try {
      await oldest.remove();
      this.#segments.shift();
    } catch (error) {
      throw diskFailure(oldest.path, error);
    }
  }

  async close(): Promise<void> {
    for (const segment of this.#segments) await segment.close();
  }

  async #writableSegment(): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last !== undefined && !this.#isSealed && last.size < this.#options.segmentBytes) return last;
    const { directory } = this.#options;
    const number = (last?.number ?? 0) + 1;
    const path = join(directory, `${String(number).padStart(10, '0')}.seg`);
    // Whoever reads up to here must find everything below; the new file's name must survive as well.
    if (last !== undefined && this.#options.durability === 'disk') await this.sync();
    const segment = await Segment.open(number, path, 'create');
    this.#segments.push(segment);
    this.#isSealed = false;
    if (this.#options.durability === 'disk') await syncDirectory(directory);
    return segment;
  }
}

/** Makes a directory for a store, readable for its user only: traces are what agents were told. */
export async function makeStoreDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
  } catch (error) {
    const failure = diskFailure(directory, error);
    if (isDiskFull(failure)) throw failure;
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_FAILED',
      message: `Expected a directory of traces that exists or can be made at ${directory}, got ${(error as Error).message}. Choose a place that this process may write to.`,
      cause: error,
    });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw diskFailure(directory, error);
  }
}
