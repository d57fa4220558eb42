import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, link, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CallOptions } from '@art/protocol';
import type { RunSegments, SegmentOwner } from '../log/run-segments.ts';
import { readLines } from '../records/read-lines.ts';
import { decodeRecord } from '../records/record-codec.ts';
import { unfinishedName } from './journal-leftovers.ts';
import { SegmentFile, type FileSettings } from './segment-file.ts';

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
      await mkdir(this.path, { recursive: true });
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

  async writer({ claim }: SegmentOwner): Promise<SegmentFile> {
    const release = (): Promise<void> => writeFile(this.#releasePath(claim), '');
    try {
      const file = await this.#settings.fileSystem.openForAppend(this.#segmentPath(claim));
      const isTakenOver = (): Promise<boolean> => exists(this.#segmentPath(claim + 1));
      return new SegmentFile({ file, runId: this.runId, isTakenOver, release, settings: this.#settings });
    } catch (error) {
      await release().catch(() => undefined);
      throw error;
    }
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

function segmentName(segment: number): string {
  return String(segment).padStart(6, '0');
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
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
