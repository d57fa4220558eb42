import { Readable } from 'node:stream';

import { type ListPage, SortedKeys } from '@art/store';

import {
  type BucketSummary,
  type ByteRange,
  judgeCondition,
  type KeyRange,
  type ObjectAddress,
  type ObjectBackend,
  type ObjectCommitOutcome,
  type ObjectCondition,
  type ObjectDescription,
  type ObjectUpload,
  type OpenObject,
} from './object-backend.ts';

export interface MemoryObjectBackendOptions {
  /** Wall clock in ms since the epoch, for Last-Modified. @default Date.now */
  now?: (() => number) | undefined;
}

interface MemoryObject {
  description: ObjectDescription;
  bytes: Buffer;
}

interface MemoryBucket {
  createdMs: number;
  objects: Map<string, MemoryObject>;
  keys: SortedKeys;
}

/** Objects in this process's memory; gone when it ends. */
export class MemoryObjectBackend implements ObjectBackend {
  readonly #buckets = new Map<string, MemoryBucket>();
  readonly #now: () => number;

  constructor(options: MemoryObjectBackendOptions = {}) {
    this.#now = options.now ?? Date.now;
  }

  async buckets(): Promise<BucketSummary[]> {
    return [...this.#buckets].map(([name, bucket]) => ({ name, createdMs: bucket.createdMs }));
  }

  async hasBucket(bucket: string): Promise<boolean> {
    return this.#buckets.has(bucket);
  }

  async createBucket(bucket: string): Promise<boolean> {
    if (this.#buckets.has(bucket)) return false;
    this.#bucket(bucket);
    return true;
  }

  async deleteBucket(bucket: string): Promise<boolean> {
    if ((this.#buckets.get(bucket)?.objects.size ?? 0) > 0) return false;
    this.#buckets.delete(bucket);
    return true;
  }

  async put(
    at: ObjectAddress,
    upload: ObjectUpload,
    condition: ObjectCondition,
  ): Promise<ObjectCommitOutcome> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of upload.chunks) chunks.push(chunk);
    // One copy: the chunks are slices of the socket's far larger read buffers and would keep those alive.
    const bytes = Buffer.concat(chunks);
    const properties = upload.properties();
    // Without an await between judging and storing, so no other request gets in between.
    const bucket = this.#bucket(at.bucket);
    const stored = bucket.objects.get(at.key);
    const outcome = judgeCondition(condition, stored?.description);
    if (outcome.kind !== 'done') return outcome;
    if (stored === undefined) bucket.keys.add(at.key);
    const description = { ...properties, sizeBytes: bytes.length, lastModifiedMs: this.#now() };
    bucket.objects.set(at.key, { bytes, description });
    return outcome;
  }

  async describe(at: ObjectAddress): Promise<ObjectDescription | undefined> {
    return this.#buckets.get(at.bucket)?.objects.get(at.key)?.description;
  }

  async open(at: ObjectAddress): Promise<OpenObject | undefined> {
    const object = this.#buckets.get(at.bucket)?.objects.get(at.key);
    return (
      object && {
        description: object.description,
        read: (range) => Readable.from(slices(object.bytes, range), { objectMode: false }),
        release: async () => undefined,
      }
    );
  }

  async delete(at: ObjectAddress, condition: ObjectCondition): Promise<ObjectCommitOutcome> {
    const bucket = this.#buckets.get(at.bucket);
    const outcome = judgeCondition(condition, bucket?.objects.get(at.key)?.description);
    if (outcome.kind === 'done' && bucket?.objects.delete(at.key) === true) bucket.keys.delete(at.key);
    return outcome;
  }

  async list(range: KeyRange): Promise<ListPage> {
    return this.#buckets.get(range.bucket)?.keys.page(range) ?? { keys: [], truncated: false };
  }

  #bucket(name: string): MemoryBucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket: MemoryBucket = { createdMs: this.#now(), objects: new Map(), keys: new SortedKeys() };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

const sliceBytes = 64 * 1_024;

function* slices(bytes: Buffer, range: ByteRange = { start: 0, end: bytes.length - 1 }): Generator<Buffer> {
  for (let start = range.start; start <= range.end; start += sliceBytes) {
    yield bytes.subarray(start, Math.min(start + sliceBytes, range.end + 1));
  }
}
