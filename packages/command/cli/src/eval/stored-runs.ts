import { ArtError, isJsonObject } from '@art/ground';
import { newRunId } from '@art/journal';
import type { OpenedStore } from '../connection/open-store.ts';

/** A run in a store: its own name, and how many parts each of its files has. */
export interface StoredRun {
  id: string;
  parts: number[];
}

/**
 * Keeps runs in a result store. A run is stored under an id of its own and never changes; a name is one small object that points to a run,
 * and is written last: who reads it finds a whole run. Of two writers of a name the later one counts, and both runs stay.
 */
export class StoredRuns implements AsyncDisposable {
  readonly where: string;
  readonly #opened: OpenedStore;

  constructor(opened: OpenedStore) {
    this.where = opened.where;
    this.#opened = opened;
  }

  /** True if something has the name, be it a run's or not. @throws StoreError */
  has(name: string): Promise<boolean> {
    return this.#opened.store.exists(this.#at(`names/${name}.json`));
  }

  /** @returns undefined where nothing has the name. @throws ArtError `ART_INVALID_OPTION` for what is no run's; StoreError */
  async find(name: string): Promise<StoredRun | undefined> {
    const { store } = this.#opened;
    const text = await store.get(this.#at(`names/${name}.json`));
    if (text === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value) && value['schema'] === 'art.baseline.v1') {
        const { id, parts } = value;
        const areCounts = Array.isArray(parts) && parts.every((count) => Number.isSafeInteger(count));
        // The id becomes the name of a folder.
        if (typeof id === 'string' && /^\w[\w-]*$/.test(id) && areCounts)
          return { id, parts: parts as number[] };
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return this.#refuse(`names/${name}.json`, 'no record of a kept run');
  }

  /** @param files of the run, as texts in parts */
  async save(name: string, files: readonly AsyncIterable<string>[]): Promise<void> {
    const { store } = this.#opened;
    const id = newRunId();
    const parts: number[] = [];
    for (const [at, file] of files.entries()) {
      parts[at] = 0;
      for await (const text of file) await store.put(this.#at(`runs/${id}/${at}.${parts[at]++}`), text);
    }
    const record = { schema: 'art.baseline.v1', id, parts };
    await store.put(this.#at(`names/${name}.json`), JSON.stringify(record));
  }

  /** Reads a file of a run, by its place among the files. @throws ArtError `ART_INVALID_OPTION` where a part is missing */
  async *read({ id, parts }: StoredRun, file: number): AsyncGenerator<string, void, undefined> {
    for (let part = 0; part < (parts[file] ?? 0); part += 1) {
      const key = `runs/${id}/${file}.${part}`;
      yield (await this.#opened.store.get(this.#at(key))) ?? this.#refuse(key, 'nothing there');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }

  #at(key: string): { bucket: string; key: string } {
    const { bucket, prefix = '.art/baselines' } = this.#opened;
    return { bucket, key: `${prefix}/${key}` };
  }

  #refuse(key: string, got: string): never {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected a part of a kept run at ${this.#at(key).key} in ${this.where}, got ${got}. Keep the run again with "art eval --save-as".`,
    });
  }
}
