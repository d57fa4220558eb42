import { readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  backgroundClock,
  type Clock,
  aNumber,
  unchecked,
  aText,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
  unlessMissing,
} from '@art/ground';
import { type CallOptions } from '@art/protocol';
import { claimRun, heldBy, lastSegment } from '../log/claim-run.ts';
import { createRun, openHeldRun } from '../log/held-run.ts';
import { checkRunId, isRunId } from '../records/run-id.ts';
import type { HeldBy, LineLog, RolloutJournal } from '../log/rollout-journal.ts';
import { asideName, folderBytes, journalLeftovers, type Leftover } from './journal-leftovers.ts';
import { RunDirectory, type FileSettings, type SyncPolicy } from './run-directory.ts';
import { nodeFileSystem, type JournalFileSystem } from './journal-file-system.ts';

export interface FileJournalOptions {
  /** A folder of runs; made where it is missing. @default '.art/runs', from the working directory */
  directory?: string | undefined;
  /** @default 'interval' */
  sync?: SyncPolicy | undefined;
  /**
   * How long a process on another machine (or in another container) must give no sign of life before its run can be
   * claimed, in milliseconds. On one machine no wait is needed. Must be the same for all. @default 15_000
   */
  leaseMs?: number | undefined;
  /** Time, for tests. @default the system's */
  clock?: Clock | undefined;
  /** Writer of segments, for tests. @default Node's */
  fileSystem?: JournalFileSystem | undefined;
}

const lingerMs = 20;
// Also how often a policy of `interval` forces.
const upkeepMs = 1_000;
const rules = {
  directory: optional(aText, '.art/runs'),
  sync: optional(oneOf('commit', 'interval', 'never'), 'interval'),
  leaseMs: optional(aNumber({ above: 0 }), 15_000),
  clock: optional(unchecked<Clock>(), backgroundClock),
  fileSystem: optional(unchecked<JournalFileSystem>(), nodeFileSystem),
} satisfies OptionRules<FileJournalOptions>;

/**
 * A journal in the file system: a folder for each run, in it a file for each process that held the run, written from front
 * to back and never changed afterwards. Nothing is created before the first run.
 */
export class FileJournal implements RolloutJournal {
  readonly #directory: string;
  readonly #settings: FileSettings;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: FileJournalOptions = {}) {
    const { directory, ...settings } = readOptions('FileJournal', options, rules);
    this.#directory = resolve(directory);
    this.#settings = { ...settings, gatherMs: 0, lingerMs, upkeepMs };
  }

  /** The folder of runs, as an absolute path. */
  get directory(): string {
    return this.#directory;
  }

  async create(runId: string, lines: readonly string[], options: CallOptions = {}): Promise<LineLog> {
    return createRun(this.#run(runId), lines, this.#settings, options);
  }

  async open(runId: string, options: CallOptions = {}): Promise<LineLog> {
    return openHeldRun(this.#run(runId), this.#settings, options);
  }

  async *read(runId: string, options: CallOptions = {}): AsyncGenerator<string[], void, undefined> {
    const run = this.#run(runId);
    yield* run.read(options, await lastSegment(run, options));
  }

  async heldBy(runId: string): Promise<HeldBy | undefined> {
    return heldBy(this.#run(runId), {});
  }

  async list(): Promise<string[]> {
    const names = (await unlessMissing(readdir(this.#directory))) ?? [];
    const found = await Promise.all(
      names.filter(isRunId).map(async (name) => {
        const last = await this.#run(name).last();
        return last === undefined ? [] : [name];
      }),
    );
    return found.flat().toSorted();
  }

  async remove(runId: string, options: CallOptions = {}): Promise<void> {
    const run = this.#run(runId);
    // Anyone who has claimed it is the only one who may take it away.
    await claimRun(run, this.#settings, options);
    const aside = join(this.#directory, asideName(runId));
    await rename(run.path, aside);
    await rm(aside, { recursive: true, force: true });
  }

  /** Bytes on disk of a run; 0 where there is none. @throws ArtError `ART_INVALID_OPTION` */
  bytesOf(runId: string): Promise<number> {
    return folderBytes(this.#run(runId).path);
  }

  /**
   * Files that killed processes left in the folder, an hour old at least. They may be removed.
   * @param nowMs milliseconds since 1970 @default now
   */
  leftovers(nowMs: number = Date.now()): Promise<Leftover[]> {
    return journalLeftovers(this.#directory, nowMs);
  }

  #run(runId: string): RunDirectory {
    checkRunId(runId);
    return new RunDirectory(runId, this.#directory, this.#settings);
  }
}
