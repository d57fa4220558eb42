import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { CallOptions } from '@art/protocol';
import type { ResultStore } from '@art/store';

import { KeyLocks } from './key-locks.ts';
import {
  type BucketSummary,
  judgeCondition,
  type KeyPage,
  type KeyRange,
  type ObjectAddress,
  type ObjectBackend,
  type ObjectCommitOutcome,
  type ObjectCondition,
  type ObjectDescription,
  type OpenObject,
  type StagedObject,
} from './object-backend.ts';
import { invalidRequest, notImplemented } from '../wire/s3-error.ts';

export interface ResultStoreObjectBackendOptions {
  /** Wall clock in ms since the epoch. @default Date.now */
  now?: (() => number) | undefined;
}

/**
 * Any result store seen as objects. A store keeps text and nothing about it, so: bodies must be UTF-8, every object is
 * `application/json` without metadata, `Last-Modified` is when this backend was made, and nothing can be deleted.
 * Listing reads the objects of the page, for their sizes. `If-Match` is atomic among the users of this object only;
 * `If-None-Match: *` is as atomic as the store's `ifAbsent`.
 */
export class ResultStoreObjectBackend implements ObjectBackend {
  readonly #store: ResultStore;
  readonly #createdBuckets = new Map<string, number>();
  readonly #locks = new KeyLocks();
  readonly #now: () => number;
  readonly #lastModifiedMs: number;

  constructor(store: ResultStore, options: ResultStoreObjectBackendOptions = {}) {
    this.#store = store;
    this.#now = options.now ?? Date.now;
    this.#lastModifiedMs = this.#now();
  }

  /** Those that were created through this object; a store cannot tell which others it has. */
  async buckets(): Promise<BucketSummary[]> {
    return [...this.#createdBuckets].map(([name, createdMs]) => ({ name, createdMs }));
  }

  async hasBucket(): Promise<boolean> {
    return true;
  }

  async createBucket(bucket: string): Promise<boolean> {
    if (this.#createdBuckets.has(bucket)) return false;
    this.#createdBuckets.set(bucket, this.#now());
    return true;
  }

  async deleteBucket(): Promise<boolean> {
    throw notImplemented('deleting buckets over a result store');
  }

  async stage(at: ObjectAddress): Promise<StagedObject> {
    let chunks: Uint8Array[] = [];
    return {
      write: async (chunk) => void chunks.push(chunk),
      commit: async (_properties, condition) => {
        const body = decodeText(Buffer.concat(chunks));
        chunks = [];
        return this.#locks.run(JSON.stringify([at.bucket, at.key]), () => this.#put(at, body, condition));
      },
      discard: async () => void (chunks = []),
    };
  }

  async describe(at: ObjectAddress, options: CallOptions = {}): Promise<ObjectDescription | undefined> {
    return (await this.open(at, options))?.description;
  }

  async open(at: ObjectAddress, options: CallOptions = {}): Promise<OpenObject | undefined> {
    const text = await this.#store.get(at, options);
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text);
    return {
      description: {
        sizeBytes: bytes.length,
        lastModifiedMs: this.#lastModifiedMs,
        etag: createHash('md5').update(bytes).digest('hex'),
        contentType: 'application/json',
        headers: {},
        metadata: {},
      },
      read: (range) =>
        Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)], {
          objectMode: false,
        }),
      release: async () => undefined,
    };
  }

  async delete(): Promise<ObjectCommitOutcome> {
    throw notImplemented('deleting objects over a result store');
  }

  async list(range: KeyRange, options: CallOptions = {}): Promise<KeyPage> {
    if (this.#store.list === undefined) throw notImplemented('listing over a result store that cannot list');
    return this.#store.list(range, options);
  }

  async #put(at: ObjectAddress, body: string, condition: ObjectCondition): Promise<ObjectCommitOutcome> {
    if (condition.kind === 'matches') {
      const outcome = judgeCondition(condition, await this.describe(at));
      if (outcome.kind !== 'done') return outcome;
    }
    const stored = await this.#store.put(at, body, { ifAbsent: condition.kind === 'absent' });
    return { kind: stored.kind === 'exists' ? 'precondition-failed' : 'done' };
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw Object.assign(
      invalidRequest(
        'This endpoint keeps objects in a result store, which holds text: expected a body in UTF-8.',
      ),
      { cause },
    );
  }
}
