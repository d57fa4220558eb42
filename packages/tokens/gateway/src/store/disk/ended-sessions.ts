import { rename } from 'node:fs/promises';
import type { SessionEnd, Tombstones } from '../retention.ts';
import { diskFailure, isDiskFull } from './disk-failure.ts';
import { FrameFile } from './frame-file.ts';
import type { OpenFiles } from './open-files.ts';
import { SessionLocks } from '../session-locks.ts';
import type { LoggedSession } from '../session-log.ts';

/** More records than this that nobody needs, and the file is written anew. */
const mostStale = 10_000;

/** The file of the sessions that are no more, by which their late captures are known also after a restart. */
export class EndedSessions {
  #file: FrameFile;
  #count: number;
  readonly #files: OpenFiles;
  readonly #tombstones: Tombstones;
  readonly #turns = new SessionLocks();

  /** @param count how many records the file has */
  constructor(file: FrameFile, count: number, parts: { files: OpenFiles; tombstones: Tombstones }) {
    this.#file = file;
    this.#count = count;
    this.#files = parts.files;
    this.#tombstones = parts.tombstones;
  }

  /** Notes ends, the files of whose sessions are gone. Where the disk has no room for it they are forgotten with this process. */
  async add(sessionIds: readonly string[], end: SessionEnd, atMs: number): Promise<void> {
    await this.#turns.run([''], async () => {
      const records = sessionIds.map((sessionId): LoggedSession => ({ event: 'end', atMs, sessionId, end }));
      try {
        await this.#file.append(records);
        this.#count += records.length;
        if (this.#count > 2 * this.#tombstones.size + mostStale) await this.#writeAnew();
      } catch (error) {
        if (!isDiskFull(error)) throw error;
      }
    });
  }

  async #writeAnew(): Promise<void> {
    const { path } = this.#file;
    const anew = new FrameFile(this.#files, `${path}.new`);
    const stones = Array.from(this.#tombstones.entries(), ([sessionId, stone]): LoggedSession => ({
      event: 'end',
      sessionId,
      ...stone,
    }));
    await anew.append(stones);
    try {
      // Those that are open are known by their names.
      await Promise.all([this.#files.close(path), this.#files.close(anew.path)]);
      await rename(anew.path, path);
    } catch (error) {
      throw diskFailure(path, error);
    }
    this.#file = new FrameFile(this.#files, path, anew.size);
    this.#count = stones.length;
  }
}
