import type { SessionTable } from '../session-table.ts';
import { Compaction } from './compaction.ts';
import { isDiskFull } from './disk-failure.ts';
import type { SegmentLog } from './segment-log.ts';
import type { FrameLocation, Segment } from './segment.ts';

/** On a full disk, less garbage than this is left alone. */
const leastGarbageBytes = 65_536;

export interface LogCleanerParts {
  log: SegmentLog;
  table: SessionTable<FrameLocation[]>;
  segmentBytes: number;
  now: () => number;
  /** Runs a step as the only writer of the log. */
  run: (step: () => Promise<void>) => Promise<void>;
}

/**
 * Wins back the space of what nobody needs any more, beside everything else: where half of the log and one file more is
 * garbage, and on a full disk where a thirty-second is.
 */
export class LogCleaner {
  readonly #parts: LogCleanerParts;
  #state: 'open' | 'closed' = 'open';
  #running: Promise<void> | undefined;
  /** What of the log was no trace when all of it had been looked at last: records of sessions. */
  #recordBytes = 0;
  /** Whether the last write found the disk full. */
  #isFull = false;

  constructor(parts: LogCleanerParts) {
    this.#parts = parts;
  }

  cleanIfWorth(): void {
    if (this.#state === 'closed' || this.#running !== undefined || !this.#isWorth()) return;
    this.#running = this.#clean()
      // No room to copy, most likely; the appends meet the same and say so, and the next deletion tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Writes; where the disk is full, once more when space was won back. */
  async orMakeRoom<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      const result = await write();
      this.#isFull = false;
      return result;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#isFull = true;
      this.cleanIfWorth();
      if (this.#running === undefined) throw error;
      await this.#running;
      if (this.#state === 'closed') throw error;
      return await write();
    }
  }

  /** Resolves when nothing is under way any more, and nothing will be. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#running;
  }

  get #isPressed(): boolean {
    return this.#isFull || this.#parts.log.isShort;
  }

  #isWorth(): boolean {
    const { log, table, segmentBytes } = this.#parts;
    const neededBytes = table.bytes + this.#recordBytes;
    if (this.#isPressed) return log.bytes - neededBytes > Math.max(leastGarbageBytes, neededBytes / 32);
    return log.segments.length > 1 && log.bytes > 2 * neededBytes + segmentBytes;
  }

  async #clean(): Promise<void> {
    const { log, table, segmentBytes, now, run } = this.#parts;
    const isPressed = this.#isPressed;
    const compaction = new Compaction(log, table, { segmentBytes, use: isPressed ? 'most' : 'none' });
    const bytesBefore = log.bytes;
    const liveBytes = isPressed ? this.#liveBytes() : undefined;
    // On a small disk the last file may be the only one.
    for (const segment of log.segments.slice(0, isPressed ? undefined : -1)) {
      if (this.#state === 'closed' || !this.#isWorth()) return;
      // What is begun and cannot be finished takes space and gives none.
      if (isPressed && (liveBytes?.get(segment) ?? 0) > log.sparedBytes) return;
      if (segment === log.segments.at(-1)) await run(async () => log.seal());
      for await (const step of compaction.steps(segment, now())) await run(step);
      if (!isPressed) continue;
      await run(() => log.fillReserve());
      if (bytesBefore - log.bytes >= segmentBytes) return;
    }
    // Everything was looked at once: what is left is needed, also the records of sessions, which `table.bytes` leaves out.
    this.#recordBytes = Math.max(0, log.bytes - table.bytes);
  }

  #liveBytes(): Map<Segment, number> {
    const bytes = new Map<Segment, number>();
    for (const { content } of this.#parts.table.entries()) {
      for (const { segment, length } of content) bytes.set(segment, (bytes.get(segment) ?? 0) + length);
    }
    return bytes;
  }
}
