import { join } from 'node:path';
import { freshId } from '@art/ground';
import { removeStaleFiles, type StaleFile, staleFiles } from './stale-files.ts';
import { UnfinishedFile } from './unfinished-file.ts';

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
    await (this.#swept ??= removeStaleFiles(this.directory, this.#nowMs()));
    return UnfinishedFile.create(join(this.directory, freshId()));
  }

  /** Files that killed writers left behind. */
  async stale(nowMs: number): Promise<StaleFile[]> {
    return staleFiles(this.directory, nowMs);
  }
}
