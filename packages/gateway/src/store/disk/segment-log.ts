import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFailure } from './disk-failure.ts';
import { encodeFrame, type FrameKind } from './frame.ts';
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

const segmentName = /^(\d{10})\.seg$/;

/** Files that records are only ever added to, one after the other. One writer at a time. */
export class SegmentLog {
  readonly #options: SegmentLogOptions;
  /** Oldest first; records go to the last one. */
  readonly #segments: Segment[];
  /** Set where a failed write could not be taken back: behind it nothing may be written. */
  #isTorn = false;

  private constructor(options: SegmentLogOptions, segments: Segment[]) {
    this.#options = options;
    this.#segments = segments;
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
    return new SegmentLog(options, segments);
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The size of all files. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.size, 0);
  }

  /**
   * Writes records, all or none; where they are. They are with the operating system, or on the disk, when it resolves.
   * @throws ArtError `ART_GATEWAY_STORE_FULL`, `ART_GATEWAY_STORE_FAILED`
   */
  async append(frames: readonly NewFrame[]): Promise<FrameLocation[]> {
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
        this.#isTorn = true;
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
    if (last !== undefined && !this.#isTorn && last.size < this.#options.segmentBytes) return last;
    const { directory } = this.#options;
    const number = (last?.number ?? 0) + 1;
    const path = join(directory, `${String(number).padStart(10, '0')}.seg`);
    // Whoever reads up to here must find everything below; the new file's name must survive as well.
    if (last !== undefined && this.#options.durability === 'disk') await this.sync();
    const segment = await Segment.open(number, path, 'create');
    this.#segments.push(segment);
    this.#isTorn = false;
    if (this.#options.durability === 'disk') await syncDirectory(directory);
    return segment;
  }
}

/** Makes a directory for a store, readable for its user only: traces are what agents were told. */
export async function makeStoreDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw diskFailure(directory, error);
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
