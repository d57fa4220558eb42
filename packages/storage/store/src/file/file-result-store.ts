import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { custom, oneOf, optional, type OptionRules, type ReadOptions, readOptions } from '@art/ground';
import { type CallOptions } from '@art/protocol';
import { checkBody, checkListRange, checkLocation } from '../check-store-input.ts';
import type {
  ListPage,
  ListRange,
  PutOptions,
  PutOutcome,
  ResultLocation,
  ResultStore,
} from '../result-store.ts';
import { errnoOf, guarded, isNotThere } from './file-failure.ts';
import { assertInsideRoot, realPathInside } from './inside-root.ts';
import { isFile } from './is-file.ts';
import { listKeys } from './list-keys.ts';
import { checkResultKey, resultPath } from './result-path.ts';
import { SortedDirectories } from './sorted-directory.ts';
import type { StaleFile } from './stale-files.ts';
import { TemporaryFiles } from './temporary-files.ts';

export interface FileResultStoreOptions {
  /** Directory that holds the buckets; made at the first `put`. It must belong to the store alone. */
  root: string;
  /**
   * Event that a result survives once `put` has answered. `disk`: a power cut. `process`: the end of this process, at a
   * fraction of the cost; readers never see a part of it either way.
   * @default 'disk'
   */
  durability?: 'disk' | 'process' | undefined;
}

const rules = {
  root: custom(
    'the path of a directory',
    (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
  ),
  durability: optional(oneOf('disk', 'process'), 'disk'),
} satisfies OptionRules<FileResultStoreOptions>;

/**
 * Keeps every result in its own file, `{root}/{bucket}/{exp_id}/{input_id}/{session_id}.json`, shared by any number of
 * processes. Capitals and characters that some file system cannot hold are encoded in the names, see the README.
 * Works on Linux and macOS; the file system must have hard links.
 */
export class FileResultStore implements ResultStore {
  /** Absolute path of the directory that holds the buckets. */
  readonly root: string;
  readonly #settings: ReadOptions<typeof rules>;
  readonly #directories = new SortedDirectories(Date.now);
  readonly #temporary: TemporaryFiles;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: FileResultStoreOptions) {
    this.#settings = readOptions('FileResultStore', options, rules);
    this.root = resolve(this.#settings.root);
    // No bucket can have this name: the codec escapes a leading dot.
    this.#temporary = new TemporaryFiles(join(this.root, '.temporary'), Date.now);
  }

  async put(at: ResultLocation, body: string, options: PutOptions = {}): Promise<PutOutcome> {
    const path = this.#pathOf('put', at);
    checkBody(at, body);
    const { signal, ifAbsent = false } = options;
    return guarded('put', at, signal, async () => {
      for (const used of [path, this.#temporary.directory])
        await assertInsideRoot(this.root, used, 'put', at);
      // Spares a late writer the work; what decides is the exclusive place.
      if (ifAbsent && (await isFile(path))) return { kind: 'exists' };
      const sync = this.#settings.durability === 'disk';
      const file = await this.#temporary.create();
      try {
        await file.handle.writeFile(body, { signal });
        if (sync) await file.handle.datasync();
        signal?.throwIfAborted();
        return { kind: (await file.place(path, { exclusive: ifAbsent, sync })) ? 'stored' : 'exists' };
      } finally {
        await file.discard();
      }
    });
  }

  async get(at: ResultLocation, options: CallOptions = {}): Promise<string | undefined> {
    const path = this.#pathOf('get', at);
    return guarded('get', at, options.signal, async () => {
      try {
        const real = await realPathInside(this.root, path, 'get', at);
        return real && (await readFile(real, { encoding: 'utf8', signal: options.signal }));
      } catch (error) {
        if (isNotThere(error) || errnoOf(error) === 'EISDIR') return undefined;
        throw error;
      }
    });
  }

  async exists(at: ResultLocation, options: CallOptions = {}): Promise<boolean> {
    const path = this.#pathOf('exists', at);
    return guarded('exists', at, options.signal, async () => {
      const real = await realPathInside(this.root, path, 'exists', at);
      return real !== undefined && isFile(real);
    });
  }

  async list(range: ListRange, options: CallOptions = {}): Promise<ListPage> {
    const { limit } = checkListRange(range);
    const at = { bucket: range.bucket, key: range.prefix };
    return guarded('list', at, options.signal, () =>
      listKeys(this.#directories, this.root, { ...range, limit }, options),
    );
  }

  /**
   * Files that killed writers left behind, an hour old at least. No result is among them, and they may be removed.
   * @param nowMs milliseconds since 1970 @default now
   */
  leftovers(nowMs: number = Date.now()): Promise<StaleFile[]> {
    return this.#temporary.stale(nowMs);
  }

  #pathOf(operation: string, at: ResultLocation): string {
    checkLocation(operation, at);
    checkResultKey(operation, at);
    return resultPath(this.root, operation, at);
  }
}
