import {
  aFunction,
  aNumber,
  ArtError,
  aText,
  holdFolder,
  makeDirectory,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
} from '@art/ground';
import { LoggedCaptureStore, type LoggedStoreDeps } from '../logged-capture-store.ts';
import { aBound, type RetentionOptions, retentionRules } from '../retention.ts';
import { CaptureSessionTable } from '../session-table.ts';
import { diskFailure, isDiskFull } from './disk-failure.ts';
import { frameHeaderBytes } from './frame.ts';
import { OpenFiles } from './open-files.ts';
import { readDirectory, sessionFile, type RecoveryReport } from './read-directory.ts';

/** Options of `DiskCaptureStore`. */
export interface DiskCaptureStoreOptions extends RetentionOptions {
  /** Made if need be, readable for its user only. It belongs to one store at a time. */
  directory: string;
  /**
   * When an append is done. `process`: the bytes are with the operating system, so that they survive `kill -9`, but not a
   * power failure. `disk`: they are on the disk as well, which costs an fsync for each append.
   * @default 'process'
   */
  durability?: 'process' | 'disk' | undefined;
  /** Captures of sessions in use that are kept in memory. @default 128 MiB */
  cacheBytes?: number | undefined;
  /** Wall clock, milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
}

const rules = {
  ...retentionRules,
  maxBytes: optional(aBound, 2 ** 36),
  directory: aText,
  durability: optional(oneOf('process', 'disk'), 'process'),
  cacheBytes: optional(aNumber({ min: 0, max: Infinity }), 2 ** 27),
  now: optional(aFunction<() => number>(), Date.now),
} satisfies OptionRules<DiskCaptureStoreOptions>;

/**
 * Keeps captures in a directory: a file for each session, to which only ever more checksummed records are added, and which goes
 * with its session, so that space is free at once. An append is in the hands of the operating system when it resolves, so that
 * it survives the end of this process, however sudden. In memory are an index of about 200 bytes a capture and a cache.
 */
export class DiskCaptureStore extends LoggedCaptureStore {
  /** Findings when the directory was opened. */
  readonly recovery: RecoveryReport;

  private constructor(deps: LoggedStoreDeps, recovery: RecoveryReport) {
    super(deps);
    this.recovery = recovery;
  }

  /**
   * Opens a directory and reads what is there; a record that was being written when its process died is cut off.
   * @throws ArtError `ART_INVALID_OPTION`, `ART_FOLDER_HELD`, `ART_GATEWAY_STORE_FULL`,
   * `ART_GATEWAY_STORE_FAILED`
   */
  static async open(options: DiskCaptureStoreOptions): Promise<DiskCaptureStore> {
    const { directory, durability, cacheBytes, now, ...retention } = readOptions(
      'DiskCaptureStore',
      options,
      rules,
    );
    const table = new CaptureSessionTable(retention);
    await makeStoreDirectory(directory);
    const lock = await holdFolder(directory, {
      what: `the capture store at ${directory}`,
      advice: 'Stop that gateway, or choose another directory.',
    });
    const files = new OpenFiles(durability);
    const close = (): Promise<void> => files.closeAll().finally(() => lock.release());
    try {
      const { recovery, ended } = await readDirectory(files, directory, table);
      const deps: LoggedStoreDeps = {
        cacheBytes,
        now,
        table,
        overheadBytes: frameHeaderBytes,
        openLog: (sessionId) => sessionFile(files, directory, sessionId),
        noteEnds: (sessionIds, end, atMs) => ended.add(sessionIds, end, atMs),
        close,
      };
      return new DiskCaptureStore(deps, recovery);
    } catch (error) {
      await close();
      throw error;
    }
  }
}

/** Makes a directory for a store, readable for its user only: captures hold what users said to agents. */
async function makeStoreDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
  } catch (error) {
    const failure = diskFailure(directory, error);
    if (isDiskFull(failure)) throw failure;
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_FAILED',
      message: `Expected a directory of captures that exists or can be made at ${directory}, got ${(error as Error).message}. Choose a place that this process may write to.`,
      cause: error,
    });
  }
}
