import { LoggedTraceStore, type LoggedStoreDeps } from '../logged-trace-store.ts';
import { checkRetention } from '../retention.ts';
import { SessionTable } from '../session-table.ts';
import { lockDirectory } from './directory-lock.ts';
import { checkDiskOptions, type DiskTraceStoreOptions } from './disk-trace-store-options.ts';
import { frameHeaderBytes } from './frame.ts';
import { makeStoreDirectory } from './make-store-directory.ts';
import { OpenFiles } from './open-files.ts';
import { readDirectory, sessionFile, type RecoveryReport } from './read-directory.ts';

const gibibyte = 1_073_741_824;

/**
 * Keeps traces in a directory: a file for each session, to which only ever more checksummed records are added, and which goes
 * with its session, so that space is free at once. An append is in the hands of the operating system when it resolves, so that
 * it survives the end of this process, however sudden. In memory are an index of about 200 bytes a trace and a cache.
 */
export class DiskTraceStore extends LoggedTraceStore {
  /** What was found when the directory was opened. */
  readonly recovery: RecoveryReport;

  private constructor(deps: LoggedStoreDeps, recovery: RecoveryReport) {
    super(deps);
    this.recovery = recovery;
  }

  /**
   * Opens a directory and reads what is there; a record that was being written when its process died is cut off.
   * @throws ArtError `ART_INVALID_OPTION`, `ART_GATEWAY_STORE_LOCKED`, `ART_GATEWAY_STORE_FULL`,
   * `ART_GATEWAY_STORE_FAILED`
   */
  static async open(options: DiskTraceStoreOptions): Promise<DiskTraceStore> {
    const { directory, durability, ...checked } = checkDiskOptions(options);
    const table = new SessionTable(checkRetention(options, 64 * gibibyte));
    await makeStoreDirectory(directory);
    const lock = lockDirectory(directory);
    const files = new OpenFiles(durability);
    const close = (): Promise<void> => files.closeAll().finally(() => lock.release());
    try {
      const { recovery, ended } = await readDirectory(files, directory, table);
      const deps: LoggedStoreDeps = {
        ...checked,
        table,
        overheadBytes: frameHeaderBytes,
        openLog: (sessionId) => sessionFile(files, directory, sessionId),
        noteEnds: (sessionIds, end, atMs) => ended.add(sessionIds, end, atMs),
        close,
      };
      return new DiskTraceStore(deps, recovery);
    } catch (error) {
      await close();
      throw error;
    }
  }
}
