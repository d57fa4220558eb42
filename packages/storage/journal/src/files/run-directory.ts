import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, link, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CallOptions } from '@art/protocol';
import { makeDirectory, syncDirectory } from '@art/ground';
import { runTakenOver } from '../log/journal-refusal.ts';
import type { RunSegments, SegmentOwner, SegmentSettings, SegmentWriter } from '../log/run-segments.ts';
import { readLines } from '../records/read-lines.ts';
import { decodeRecord } from '../records/record-codec.ts';
import type { AppendedFile, JournalFileSystem } from './journal-file-system.ts';
import { unfinishedName } from './journal-leftovers.ts';

/**
 * When what was written is forced to the disk. In every case a killed process loses nothing that a promise has confirmed.
 * - `commit`: before it counts as written. Survives a power failure.
 * - `interval`: once a second. A power failure may take the last second, and what was started in it would run again.
 * - `never`: when the system likes.
 */
export type SyncPolicy = 'commit' | 'interval' | 'never';

export interface FileSettings extends SegmentSettings {
  sync: SyncPolicy;
  fileSystem: JournalFileSystem;
}

const segmentPattern = /^(\d{6})\.jsonl$/;
// The first line of a segment names its writer and is short.
const longestFirstLineBytes = 64 * 1_024;

/**
 * The folder of one run. Segment `000001.jsonl` belongs to the process that started the run, `000002.jsonl` to the one
 * that claimed it next. `000001.released` says that its writer has let go.
 */
export class RunDirectory implements RunSegments {
  readonly runId: string;
  readonly path: string;
  /** Names the journal in messages. */
  readonly where: string;
  readonly #settings: FileSettings;

  constructor(runId: string, directory: string, settings: FileSettings) {
    this.runId = runId;
    this.path = join(directory, runId);
    this.where = directory;
    this.#settings = settings;
  }

  async last(): Promise<number | undefined> {
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

  async add(segment: number, text: string): Promise<'added' | 'taken'> {
    const isForced = this.#settings.sync !== 'never';
    if (segment === 1) {
      // Also where the first one is missing: what is there is a run, if a damaged one.
      if ((await this.last()) !== undefined) return 'taken';
      await makeDirectory(this.path, 0o700);
    }
    const temporary = join(this.path, unfinishedName(randomUUID()));
    try {
      await writeWhole(temporary, text, isForced);
      // Fails where the name is taken, and shows others a file that has its first line already.
      await link(temporary, this.#segmentPath(segment));
      if (isForced) {
        await syncDirectory(this.path);
        if (segment === 1) await syncDirectory(dirname(this.path));
      }
      return 'added';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'taken';
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async *read({ signal }: CallOptions, last: number): AsyncGenerator<string[], void, undefined> {
    for (let segment = 1; segment <= last; segment += 1) {
      const path = this.#segmentPath(segment);
      yield* readLines(createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20, signal }));
    }
  }

  async owner(segment: number): Promise<SegmentOwner | undefined> {
    return (await exists(this.#releasePath(segment))) ? undefined : await this.#ownerOf(segment);
  }

  async signOfLife(segment: number): Promise<string> {
    const { mtimeMs, size } = await stat(this.#segmentPath(segment));
    return `${mtimeMs} ${size} ${await exists(this.#releasePath(segment))}`;
  }

  async writer({ claim }: SegmentOwner): Promise<SegmentWriter> {
    try {
      const file = await this.#settings.fileSystem.openForAppend(this.#segmentPath(claim));
      return new SegmentFile(file, this, claim, this.#settings);
    } catch (error) {
      await this.release(claim).catch(() => undefined);
      throw error;
    }
  }

  /** True if another process has added the segment behind that of a claim. */
  isTakenOver(claim: number): Promise<boolean> {
    return exists(this.#segmentPath(claim + 1));
  }

  /** Says that the run was let go. */
  release(claim: number): Promise<void> {
    return writeFile(this.#releasePath(claim), '', { mode: ownerOnly });
  }

  #segmentPath(segment: number): string {
    return join(this.path, `${segmentName(segment)}.jsonl`);
  }

  #releasePath(segment: number): string {
    return join(this.path, `${segmentName(segment)}.released`);
  }

  async #ownerOf(segment: number): Promise<SegmentOwner> {
    const path = this.#segmentPath(segment);
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(longestFirstLineBytes),
        0,
        longestFirstLineBytes,
        0,
      );
      const text = buffer.toString('utf8', 0, bytesRead);
      const record = decodeRecord(text.slice(0, Math.max(0, text.indexOf('\n'))), 1);
      if (record?.type !== 'owner') throw new Error(`${path} does not begin with its owner`);
      return { holder: record.holder, claim: segment };
    } finally {
      await file.close();
    }
  }
}

/** The segment that this process writes: a file that grows. */
class SegmentFile implements SegmentWriter {
  readonly #file: AppendedFile;
  readonly #run: RunDirectory;
  readonly #claim: number;
  readonly #settings: FileSettings;
  #lastSignMs: number;
  #isSyncDue = false;

  constructor(file: AppendedFile, run: RunDirectory, claim: number, settings: FileSettings) {
    this.#file = file;
    this.#run = run;
    this.#claim = claim;
    this.#settings = settings;
    this.#lastSignMs = settings.clock.nowMs();
  }

  async write(text: string): Promise<void> {
    const { clock, leaseMs, sync } = this.#settings;
    const nowMs = clock.nowMs();
    await this.#file.append(text);
    if (sync === 'commit') await this.#file.sync();
    else this.#isSyncDue = true;
    // Nobody could claim the run within a lease of the last sign of life. After a longer sleep somebody may have, and
    // would have read this segment before the text was in it.
    if (clock.nowMs() - this.#lastSignMs > leaseMs / 2) await this.#assertStillOwner();
    this.#lastSignMs = nowMs;
  }

  async keepUp(): Promise<void> {
    const { clock, leaseMs, sync } = this.#settings;
    if (this.#isSyncDue && sync === 'interval') {
      this.#isSyncDue = false;
      await this.#file.sync();
    }
    if (clock.nowMs() - this.#lastSignMs < leaseMs / 4) return;
    await this.#assertStillOwner();
    await this.#file.touch();
    this.#lastSignMs = clock.nowMs();
  }

  async release(): Promise<void> {
    if (this.#settings.sync !== 'never') await this.#file.sync().catch(() => undefined);
    await this.#file.close().catch(() => undefined);
    await this.#run.release(this.#claim).catch(() => undefined);
  }

  async #assertStillOwner(): Promise<void> {
    if (await this.#run.isTakenOver(this.#claim)) throw runTakenOver(this.#run.runId);
  }
}

function segmentName(segment: number): string {
  return String(segment).padStart(6, '0');
}

// The ids of a run's sessions, and what its rollouts came to, are nobody else's business on a shared machine.
const ownerOnly = 0o600;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function writeWhole(path: string, text: string, sync: boolean): Promise<void> {
  const file = await open(path, 'wx', ownerOnly);
  try {
    await file.writeFile(text);
    if (sync) await file.datasync();
  } finally {
    await file.close();
  }
}
