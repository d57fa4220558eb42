import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CallOptions } from '@art/protocol';
import { refuseOption, makeDirectory } from '@art/ground';
import {
  assertInsideRoot,
  bucketPath,
  errnoOf,
  FileResultStore,
  isNotThere,
  type ListPage,
  realPathInside,
  resultPath,
  TemporaryFiles,
  undefinedIfNotThere,
  type UnfinishedFile,
} from '@art/store';
import { KeyLocks } from './key-locks.ts';
import { KnownFiles } from './known-files.ts';
import {
  type BucketSummary,
  defaultContentType,
  judgeCondition,
  type KeyRange,
  type ObjectAddress,
  type ObjectBackend,
  type ObjectCommitOutcome,
  type ObjectCondition,
  type ObjectDescription,
  type ObjectProperties,
  type ObjectUpload,
  type OpenObject,
} from './object-backend.ts';
import { isServedBucketName } from '../wire/bucket-name.ts';

export interface FileObjectBackendOptions {
  /** Directory that holds the buckets; made when it is needed. May be the root of a `FileResultStore` at the same time. */
  root: string;
  /**
   * Event that a PUT waits for. `disk`: the object survives a power cut. `process`: it survives the end of this process. @default 'disk'
   */
  durability?: 'disk' | 'process' | undefined;
  /** Wall clock in ms since the epoch, by which uploads of dead processes are told. @default Date.now */
  now?: (() => number) | undefined;
}

/** No bucket can have this name. */
const privateDirectory = '.s3';

/**
 * Objects as files, one each, in the directory of a `FileResultStore`: what one writes, the other reads. What S3 knows
 * beyond the bytes is remembered by this object, and made up from the bytes for files that came another way or before.
 * `If-None-Match: *` is exclusive among processes (hard link), `If-Match` among the users of this object.
 * Any key is taken, as by S3, and stays inside the root: `a//b` and `a/../b` are encoded, symbolic links are not followed out.
 */
export class FileObjectBackend implements ObjectBackend {
  readonly #root: string;
  readonly #durability: 'disk' | 'process';
  readonly #keys: FileResultStore;
  readonly #known = new KnownFiles();
  readonly #uploads: TemporaryFiles;
  readonly #locks = new KeyLocks();

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: FileObjectBackendOptions) {
    const { root, durability = 'disk', now = Date.now } = options;
    if (durability !== 'disk' && durability !== 'process') {
      refuseOption('durability', '"disk" or "process"', durability);
    }
    this.#keys = new FileResultStore({ root });
    this.#root = resolve(root);
    this.#durability = durability;
    this.#uploads = new TemporaryFiles(join(this.#root, privateDirectory, 'uploads'), now);
  }

  async buckets(): Promise<BucketSummary[]> {
    const names = (await readdir(this.#root).catch(undefinedIfNotThere)) ?? [];
    const found: BucketSummary[] = [];
    for (const name of names) {
      const path = join(this.#root, name);
      if (!isServedBucketName(name) || this.#bucketPath(name) !== path) continue;
      const stats = await lstat(path);
      if (stats.isDirectory()) found.push({ name, createdMs: stats.birthtimeMs });
    }
    return found;
  }

  async hasBucket(bucket: string): Promise<boolean> {
    const real = await realPathInside(this.#root, this.#bucketPath(bucket), 'bucket', { bucket, key: '' });
    return real !== undefined && (await stat(real)).isDirectory();
  }

  async createBucket(bucket: string): Promise<boolean> {
    const path = this.#bucketPath(bucket);
    await assertInsideRoot(this.#root, path, 'bucket', { bucket, key: '' });
    return (await makeDirectory(path)) !== undefined;
  }

  async deleteBucket(bucket: string): Promise<boolean> {
    const page = await this.#keys.list({ bucket, prefix: '', limit: 1 });
    if (page.keys.length > 0) return false;
    return removeEmptyDirectories(this.#bucketPath(bucket));
  }

  async put(
    at: ObjectAddress,
    upload: ObjectUpload,
    condition: ObjectCondition,
  ): Promise<ObjectCommitOutcome> {
    const path = resultPath(this.#root, 'put', at);
    for (const used of [path, this.#uploads.directory]) await assertInsideRoot(this.#root, used, 'put', at);
    const file = await this.#uploads.create();
    try {
      for await (const chunk of upload.chunks) await file.handle.appendFile(chunk);
      return await this.#commit(at, path, file, upload.properties(), condition);
    } finally {
      await file.discard();
    }
  }

  async describe(at: ObjectAddress, options: CallOptions = {}): Promise<ObjectDescription | undefined> {
    const path = resultPath(this.#root, 'get', at);
    options.signal?.throwIfAborted();
    return this.#locks.run(path, () => this.#describe(at, path));
  }

  async open(at: ObjectAddress, options: CallOptions = {}): Promise<OpenObject | undefined> {
    const path = resultPath(this.#root, 'get', at);
    options.signal?.throwIfAborted();
    // Not while a commit is between placing the file and noting down what is known about it.
    return this.#locks.run(path, () => this.#open(at, path));
  }

  async delete(at: ObjectAddress, condition: ObjectCondition): Promise<ObjectCommitOutcome> {
    const path = resultPath(this.#root, 'delete', at);
    return this.#locks.run(path, async () => {
      await realPathInside(this.#root, path, 'delete', at);
      const stored = condition.kind === 'always' ? undefined : await this.#describe(at, path);
      const outcome = judgeCondition(condition, stored);
      if (outcome.kind !== 'done') return outcome;
      await rm(path, { force: true }).catch(undefinedIfNotThere);
      this.#known.forget(at);
      return outcome;
    });
  }

  async list(range: KeyRange, options: CallOptions = {}): Promise<ListPage> {
    return this.#keys.list(range, options);
  }

  #bucketPath(bucket: string): string {
    return bucketPath(this.#root, 'bucket', { bucket, key: '' });
  }

  async #commit(
    at: ObjectAddress,
    path: string,
    file: UnfinishedFile,
    properties: ObjectProperties,
    condition: ObjectCondition,
  ): Promise<ObjectCommitOutcome> {
    const sync = this.#durability === 'disk';
    if (sync) await file.handle.datasync();
    const identity = fileIdentity(await file.handle.stat({ bigint: true }));
    return this.#locks.run(path, async () => {
      if (condition.kind === 'matches') {
        const outcome = judgeCondition(condition, await this.#describe(at, path));
        if (outcome.kind !== 'done') return outcome;
      }
      if (!(await file.place(path, { exclusive: condition.kind === 'absent', sync })))
        return { kind: 'precondition-failed' };
      this.#known.remember(at, identity, properties);
      return { kind: 'done' };
    });
  }

  async #describe(at: ObjectAddress, path: string): Promise<ObjectDescription | undefined> {
    const real = await realPathInside(this.#root, path, 'get', at);
    if (real === undefined) return undefined;
    const stats = await stat(real, { bigint: true }).catch(undefinedIfNotThere);
    if (stats?.isFile() !== true) return undefined;
    const known = this.#known.of(at, fileIdentity(stats));
    if (known !== undefined) return withStats(known, stats);
    const object = await this.#open(at, path);
    await object?.release();
    return object?.description;
  }

  async #open(at: ObjectAddress, path: string): Promise<OpenObject | undefined> {
    const real = await realPathInside(this.#root, path, 'get', at);
    if (real === undefined) return undefined;
    const handle = await open(real, 'r').catch(undefinedIfNotThere);
    if (handle === undefined) return undefined;
    try {
      const stats = await handle.stat({ bigint: true });
      const properties = await this.#properties(at, handle, fileIdentity(stats));
      return {
        description: withStats(properties, stats),
        read: (range) =>
          handle.createReadStream({ start: range?.start ?? 0, ...(range && { end: range.end }) }),
        release: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #properties(at: ObjectAddress, handle: FileHandle, identity: string): Promise<ObjectProperties> {
    const known = this.#known.of(at, identity);
    if (known !== undefined) return known;
    const contentType = at.key.endsWith('.json') ? 'application/json' : defaultContentType;
    const properties = { etag: await md5Of(handle), contentType, headers: {}, metadata: {} };
    this.#known.remember(at, identity, properties);
    return properties;
  }
}

async function md5Of(handle: FileHandle): Promise<string> {
  const hash = createHash('md5');
  const buffer = Buffer.allocUnsafe(256 * 1_024);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/**
 * Tells one version of a file from the next: files are replaced and never changed in place, so another content has another
 * inode or time. What is remembered about a file holds for this identity only.
 */
function fileIdentity(stats: BigIntStats): string {
  return `${stats.ino}-${stats.size}-${stats.mtimeNs}`;
}

function withStats(properties: ObjectProperties, stats: BigIntStats): ObjectDescription {
  return { ...properties, sizeBytes: Number(stats.size), lastModifiedMs: Number(stats.mtimeMs) };
}

/** Bottom up and only what is empty: a file that comes at the same time is not lost. `false` if something is left. */
async function removeEmptyDirectories(path: string): Promise<boolean> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(undefinedIfNotThere)) ?? [];
  for (const entry of entries) {
    if (entry.isDirectory()) await removeEmptyDirectories(join(path, entry.name));
  }
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (isNotThere(error)) return true;
    if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}
