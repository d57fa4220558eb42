import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, link, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newHolder, type JournalHolder } from '../holder/journal-holder.ts';
import { processState } from '../holder/process-identity.ts';
import { decodeRecord, encodeRecord } from '../records/record-codec.ts';
import type { HeldBy } from '../log/rollout-journal.ts';
import { unfinishedName } from './journal-leftovers.ts';
import type { SegmentFileSettings } from './segment-file-settings.ts';

const segmentPattern = /^(\d{6})\.jsonl$/;
// The first line of a segment names its writer and is short.
const longestFirstLineBytes = 64 * 1_024;

/**
 * The folder of one run. Segment `000001.jsonl` belongs to the process that started the run, `000002.jsonl` to the one
 * that claimed it next; the highest number owns the run. `000001.released` says that its writer has let go. Nothing is
 * ever removed or written anew, so no two claims can succeed.
 */
export class RunDirectory {
  readonly runId: string;
  readonly path: string;
  /** Names the journal in messages. */
  readonly where: string;

  constructor(runId: string, path: string, where: string) {
    this.runId = runId;
    this.path = path;
    this.where = where;
  }

  segmentPath(segment: number): string {
    return join(this.path, `${segmentName(segment)}.jsonl`);
  }

  /** The number of the segment that owns the run; undefined where there is no run. */
  async lastSegment(): Promise<number | undefined> {
    let names: string[];
    try {
      names = await readdir(this.path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
    const numbers = names.map((name) => Number(segmentPattern.exec(name)?.[1] ?? 0));
    const last = Math.max(0, ...numbers);
    return last === 0 ? undefined : last;
  }

  /** Adds the segment, complete with its first lines, unless somebody else has. */
  async addSegment(
    segment: number,
    lines: readonly string[],
    settings: SegmentFileSettings,
  ): Promise<'added' | 'exists'> {
    const holder = await newHolder(settings.clock.epochMs());
    const text = `${[encodeRecord({ type: 'owner', holder }), ...lines].join('\n')}\n`;
    if (segment === 1) await mkdir(this.path, { recursive: true });
    const temporary = join(this.path, unfinishedName(randomUUID()));
    try {
      await writeWhole(temporary, text, settings.sync !== 'never');
      // Fails where the name is taken, and shows others a file that has its first line already.
      await link(temporary, this.segmentPath(segment));
      if (settings.sync !== 'never') {
        await syncDirectory(this.path);
        if (segment === 1) await syncDirectory(dirname(this.path));
      }
      return 'added';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'exists';
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async *readSegment(segment: number, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
    const stream = createReadStream(this.segmentPath(segment), {
      encoding: 'utf8',
      highWaterMark: 1 << 20,
      signal,
    });
    for await (const piece of stream) yield piece as string;
  }

  /** Who holds the run by owning this segment; undefined where it was let go. */
  async heldBy(segment: number): Promise<HeldBy | undefined> {
    if (await this.exists(this.#releasePath(segment))) return undefined;
    const holder = await this.#holder(segment);
    return { holder, state: await processState(holder) };
  }

  /** Changes whenever the writer of a segment does something or shows that it lives. */
  async signOfLife(segment: number): Promise<string> {
    const { mtimeMs, size } = await stat(this.segmentPath(segment));
    return `${mtimeMs} ${size} ${await this.exists(this.#releasePath(segment))}`;
  }

  async release(segment: number): Promise<void> {
    await writeFile(this.#releasePath(segment), '');
  }

  async exists(path: string): Promise<boolean> {
    try {
      await access(path);
      return true;
    } catch {
      return false;
    }
  }

  #releasePath(segment: number): string {
    return join(this.path, `${segmentName(segment)}.released`);
  }

  async #holder(segment: number): Promise<JournalHolder> {
    const file = await open(this.segmentPath(segment), 'r');
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(longestFirstLineBytes),
        0,
        longestFirstLineBytes,
        0,
      );
      const text = buffer.toString('utf8', 0, bytesRead);
      const record = decodeRecord(text.slice(0, Math.max(0, text.indexOf('\n'))), 1);
      if (record?.type !== 'owner')
        throw new Error(`${this.segmentPath(segment)} does not begin with its owner`);
      return record.holder;
    } finally {
      await file.close();
    }
  }
}

function segmentName(segment: number): string {
  return String(segment).padStart(6, '0');
}

async function writeWhole(path: string, text: string, sync: boolean): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    if (sync) await file.datasync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
