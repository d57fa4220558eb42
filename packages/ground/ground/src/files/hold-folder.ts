import type * as sqliteTypes from 'node:sqlite';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ArtError } from '../errors/art-error.ts';
import { isJsonObject } from '../json/json-value.ts';
import { makeDirectory } from './make-directory.ts';

/** The process that has a folder for itself. All but `facts` is for people. */
export interface FolderHolder {
  /** Undefined in the moment before the holder has written it down. */
  pid: number | undefined;
  host: string;
  /** Milliseconds since 1970. */
  sinceMs: number;
  /** How others find the process, such as a socket. */
  facts: Readonly<Record<string, unknown>>;
}

/** A folder that this process has for itself. */
export interface HeldFolder extends AsyncDisposable {
  /** Lets go of it. Idempotent. */
  release(): void;
}

export interface HoldFolderOptions {
  /** Name of the folder in the error: "the search in /work/s". @default its path */
  what?: string | undefined;
  /** Last sentence of the error, where more can be done than to wait. */
  advice?: string | undefined;
  /** Written into `holder.json`. */
  facts?: FolderHolder['facts'] | undefined;
}

const lockName = 'hold.lock';
const holderName = 'holder.json';
// Others look at the lock for less than a millisecond.
const patienceMs = 100;

/**
 * Takes a folder for this process, and makes it if need be, readable for its user only. The lock is one of the operating system, through
 * SQLite, as Node has no file locks of its own: it ends with its process, also after `kill -9`, in another container and under another
 * host name. No process id is compared. `holder.json` beside it names the process, for people. A process that holds a folder must not read
 * `hold.lock` itself: POSIX ends the lock when any of its descriptors of the file is closed.
 * @throws ArtError `ART_FOLDER_HELD` where another process, or another part of this one, has it; `ART_FOLDER_NOT_HELD` where it cannot
 *   be locked; an Error with an errno `code` where it cannot be made
 */
export async function holdFolder(folder: string, options: HoldFolderOptions = {}): Promise<HeldFolder> {
  await makeDirectory(folder, 0o700);
  const path = join(folder, lockName);
  for (;;) {
    const before = inodeOf(path);
    const lock = lockFile(path, 'BEGIN EXCLUSIVE', patienceMs);
    if (lock === undefined) throw heldFolder(folder, options);
    // A holder that let go removes the file: then this lock is on a file without a name.
    if (before !== undefined && inodeOf(path) === before) {
      const release = (): void => {
        if (!lock.isOpen) return;
        // Not where the folder was removed meanwhile, and made by another one.
        if (inodeOf(path) === before) removeFiles(folder);
        lock.close();
      };
      try {
        writeHolder(folder, options.facts ?? {});
      } catch (error) {
        release();
        throw error;
      }
      return { release, [Symbol.asyncDispose]: () => Promise.resolve(release()) };
    }
    lock.close();
  }
}

/** The process that has a folder now. @returns undefined where none has, or where the folder may not be read */
export function folderHolder(folder: string): FolderHolder | undefined {
  const path = join(folder, lockName);
  if (inodeOf(path) === undefined) return undefined;
  let lock: Database | undefined;
  try {
    lock = lockFile(path, 'BEGIN; SELECT count(*) FROM sqlite_schema', 0);
  } catch {
    return undefined;
  }
  if (lock === undefined)
    return lastHolder(folder) ?? { pid: undefined, host: hostname(), sinceMs: 0, facts: {} };
  lock.close();
  return undefined;
}

/** The last process that took a folder, which may have died since. @returns undefined where it let go */
export function lastHolder(folder: string): FolderHolder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, holderName), 'utf8'));
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !isJsonObject(value['facts'])) return undefined;
  const { pid, host, sinceMs, facts } = value;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof sinceMs !== 'number') return undefined;
  return { pid, host, sinceMs, facts };
}

function removeFiles(folder: string): void {
  try {
    for (const name of [holderName, lockName]) rmSync(join(folder, name), { force: true });
  } catch {
    // What stays, where a system keeps files that are open, holds nothing.
  }
}

/** "process 4711 on trainer-0 since 2026-01-31T12:00:00.000Z" */
function describeHolder(holder: FolderHolder | undefined): string {
  if (holder?.pid === undefined) return 'another process';
  return `process ${holder.pid} on ${holder.host} since ${new Date(holder.sinceMs).toISOString()}`;
}

function heldFolder(folder: string, { what = folder, advice }: HoldFolderOptions): ArtError {
  return new ArtError({
    code: 'ART_FOLDER_HELD',
    message: `Expected ${what} to be free, but ${describeHolder(lastHolder(folder))} works on it. ${advice ?? 'Wait until it has ended, end it, or choose another folder.'}`,
  });
}

function writeHolder(folder: string, facts: FolderHolder['facts']): void {
  const path = join(folder, holderName);
  // Of a process that was killed: it must not be named as the holder while this one writes.
  rmSync(path, { force: true });
  const holder: FolderHolder = { pid: process.pid, host: hostname(), sinceMs: Date.now(), facts };
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, `${JSON.stringify(holder, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** @returns undefined where another one has the lock. @throws ArtError `ART_FOLDER_NOT_HELD` */
function lockFile(path: string, statement: string, timeout: number): Database | undefined {
  const { DatabaseSync } = sqlite();
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path, { timeout });
    // Nothing is ever written, so that a journal would be one more file to no end.
    database.exec(`PRAGMA journal_mode = MEMORY; ${statement}`);
    return database;
  } catch (error) {
    database?.close();
    const sqliteBusy = 5;
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw new ArtError({
      code: 'ART_FOLDER_NOT_HELD',
      message: `Expected a file that can be locked at ${path}, got "${(error as Error).message}". Choose a folder that this process may write to, on a file system with locks.`,
      cause: error,
    });
  }
}

type Sqlite = typeof sqliteTypes;
type Database = sqliteTypes.DatabaseSync;

let loaded: Sqlite | undefined;

/** Not imported: bundlers that drop `node:` break this one, and Node 22 warns that it is experimental, which no user can change. */
function sqlite(): Sqlite {
  if (loaded !== undefined) return loaded;
  const warn = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    loaded = process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = warn;
  }
  return loaded;
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
