import { join } from 'node:path';
import { ArtError } from '@art/ground';
import { diskFailure } from './disk-failure.ts';

/** A directory that this process has for itself. */
export interface DirectoryLock {
  release(): void;
}

/**
 * Locks a directory against other processes, and against a second store in this one. Node has no file locks of its own, but
 * its SQLite has: the lock is the operating system's, so that it goes with the process, also after `kill -9`, and no
 * stale lock has to be distinguished from a living one. Nothing is kept in the database.
 * @throws ArtError `ART_GATEWAY_STORE_LOCKED`, `ART_GATEWAY_STORE_FAILED`
 */
export function lockDirectory(directory: string): DirectoryLock {
  // Not imported: Node 22 prints a warning when it is loaded, and bundlers that drop `node:` break this one.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const path = join(directory, 'lock.sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (!isBusy(error)) throw diskFailure(path, error);
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_LOCKED',
      message: `Expected the trace store at ${directory} to be free, got one that another gateway uses. Stop that one, or choose another directory.`,
      cause: error,
    });
  }
  const held = database;
  return { release: () => held.close() };
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return (error as { errcode?: number }).errcode === sqliteBusy;
}
