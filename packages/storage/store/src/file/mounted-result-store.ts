import { open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '@art/ground';
import type { CallOptions } from '@art/protocol';
import { checkBody, checkLocation } from '../check-store-input.ts';
import type { PutOptions, PutOutcome, ResultLocation, ResultStore } from '../result-store.ts';
import { StoreError } from '../store-error.ts';
import { errnoOf, guarded, undefinedIfNotThere } from './file-failure.ts';
import { isFile } from './is-file.ts';
import { isEvasive } from './result-path.ts';

/** A bucket, or a folder of it, that is mounted here. */
export interface BucketMount {
  path: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
}

const mostNameBytes = 255;

/**
 * Writes results into a bucket that is mounted as a folder, by Mountpoint for Amazon S3: the file of a key is the object of that
 * key. There a file is written once, from its beginning to its end; it cannot be renamed, linked, appended to or replaced, and
 * becomes an object when it is synced. So there are no temporary files. What lies outside of the mount goes to another store.
 */
export class MountedResultStore implements ResultStore {
  readonly #mount: BucketMount;
  readonly #outside: (() => Promise<ResultStore>) | undefined;
  #other: Promise<ResultStore> | undefined;
  /** Files that were begun here and whose end was not seen. */
  readonly #unfinished = new Set<string>();

  /** @param outside opens the store for all that the mount does not hold */
  constructor(mount: BucketMount, outside?: () => Promise<ResultStore>) {
    this.#mount = mount;
    this.#outside = outside;
  }

  async put(at: ResultLocation, body: string, options: PutOptions = {}): Promise<PutOutcome> {
    checkBody(at, body);
    const path = this.#pathOf('put', at);
    if (path === undefined) return (await this.#otherStore('put', at)).put(at, body, options);
    return guarded('put', at, options.signal, async () => {
      await this.#assertMounted('put', at);
      await makeDirectory(dirname(path));
      const file = await open(path, 'wx').catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
      if (file === undefined) return this.#judgeExisting(path, at, body, options);
      this.#unfinished.add(path);
      // No signal from here on: a file that is closed early would become an object with a part of the result.
      try {
        await file.writeFile(body);
        await file.datasync();
      } finally {
        await file.close();
      }
      this.#unfinished.delete(path);
      return { kind: 'stored' };
    });
  }

  async get(at: ResultLocation, options: CallOptions = {}): Promise<string | undefined> {
    const path = this.#pathOf('get', at);
    if (path === undefined) return (await this.#otherStore('get', at)).get(at, options);
    return guarded('get', at, options.signal, async () => {
      await this.#assertMounted('get', at);
      return readFile(path, { encoding: 'utf8', signal: options.signal }).catch(undefinedIfNotThere);
    });
  }

  async exists(at: ResultLocation, options: CallOptions = {}): Promise<boolean> {
    return (await this.get(at, options)) !== undefined;
  }

  /** The file of a key; undefined for one outside of the mount, and for one that no file can have. */
  #pathOf(operation: string, at: ResultLocation): string | undefined {
    checkLocation(operation, at);
    const { path, bucket, prefix } = this.#mount;
    if (at.bucket !== bucket || !at.key.startsWith(prefix)) return undefined;
    const names = at.key.slice(prefix.length).split('/');
    return names.every(isFileName) ? join(path, ...names) : undefined;
  }

  /** Results must not go to the disk of a session, which nobody ever sees, where the mount is missing. */
  async #assertMounted(operation: string, at: ResultLocation): Promise<void> {
    const { path } = this.#mount;
    const own = await stat(path).catch(undefinedIfNotThere);
    if (own !== undefined && own.dev !== (await stat(dirname(path))).dev) return;
    const got = own === undefined ? 'nothing' : 'a folder of the file system above it';
    const message = `Expected a bucket to be mounted at ${path}, got ${got}. Look for s3BucketMount in the filesystemConfigurations of the runtime, and at the rights of its role.`;
    throw new StoreError({ operation, ...at, message });
  }

  /** Judges a file that is there already. The rest of an earlier try counts as stored only where it has been read back whole. */
  async #judgeExisting(
    path: string,
    at: ResultLocation,
    body: string,
    { ifAbsent = false }: PutOptions,
  ): Promise<PutOutcome> {
    const isOwn = this.#unfinished.has(path);
    if (isOwn && (await readFile(path, 'utf8').catch(() => undefined)) === body) {
      this.#unfinished.delete(path);
      return { kind: 'stored' };
    }
    if (!isOwn && ifAbsent && (await isFile(path))) return { kind: 'exists' };
    const message = isOwn
      ? `An earlier try to write ${path} has not ended, or has left a part of it.`
      : `There is something at ${path} already, and a mounted bucket cannot replace it.`;
    throw new StoreError({ operation: 'put', ...at, message, retryable: isOwn });
  }

  async #otherStore(operation: string, at: ResultLocation): Promise<ResultStore> {
    if (this.#outside !== undefined) {
      this.#other ??= this.#outside().catch((error: unknown) => {
        // The next call opens it anew.
        this.#other = undefined;
        throw error;
      });
      return this.#other;
    }
    const { path, bucket, prefix } = this.#mount;
    const message = `Expected a place within s3://${bucket}/${prefix}, which is mounted at ${path}, with names that files can have. Send that bucket and exp_id, or use @art/agent, which puts other results into S3 itself.`;
    throw new StoreError({ operation, ...at, message, retryable: false });
  }
}

function isFileName(name: string): boolean {
  return !isEvasive(name) && !name.includes('\0') && Buffer.byteLength(name) <= mostNameBytes;
}
