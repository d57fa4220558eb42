import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfNotThere } from './file-failure.ts';
import { freshName, UnfinishedFile } from './unfinished-file.ts';

// Age and not process id decides: on a shared volume the ids of other machines and containers mean nothing here.
const staleAfterMs = 60 * 60_000;

/** A file that a writer which was killed left behind. */
export interface StaleFile {
  path: string;
  bytes: number;
}

/** A directory for files that are not complete, on the file system of their later places. */
export class TemporaryFiles {
  readonly directory: string;
  readonly #nowMs: () => number;
  #swept: Promise<void> | undefined;

  /** @param nowMs wall clock */
  constructor(directory: string, nowMs: () => number) {
    this.directory = directory;
    this.#nowMs = nowMs;
  }

  /** A new one; the first call also removes what writers that were killed left behind. */
  async create(): Promise<UnfinishedFile> {
    await (this.#swept ??= this.#removeStale().catch(leaveThem));
    return UnfinishedFile.create(join(this.directory, `${process.pid}-${freshName()}`));
  }

  /** What writers that were killed left behind. Younger files may belong to a writer that is alive. */
  async stale(nowMs: number): Promise<StaleFile[]> {
    const names = (await readdir(this.directory).catch(undefinedIfNotThere)) ?? [];
    const stale: StaleFile[] = [];
    for (const name of names) {
      const path = join(this.directory, name);
      const found = await stat(path).catch(undefinedIfNotThere);
      if (found?.isFile() === true && nowMs - found.mtimeMs > staleAfterMs)
        stale.push({ path, bytes: found.size });
    }
    return stale;
  }

  async #removeStale(): Promise<void> {
    for (const { path } of await this.stale(this.#nowMs())) await rm(path, { force: true });
  }
}

function leaveThem(): void {
  // Housekeeping: files that cannot be removed are in nobody's way, and no reason to lose a result.
}
