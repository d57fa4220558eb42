import type { Readable } from 'node:stream';
import type { CallOptions } from '@art/protocol';
import type { ListPage, ListRange } from '@art/store';
import type { ChecksumAlgorithm } from '../checksums/checksum-algorithm.ts';

/** Type of an object whose upload named none, as S3 gives it. */
export const defaultContentType = 'binary/octet-stream';

export interface ObjectAddress {
  bucket: string;
  key: string;
}

/** A checksum that came with the upload and was found right; given back to readers that ask for it. */
export interface ObjectChecksum {
  algorithm: ChecksumAlgorithm;
  /** Base64, as on the wire. */
  value: string;
}

/** Properties that an upload gives its object. */
export interface ObjectProperties {
  /** MD5 of the bytes in lower-case hex, without the quotes of the header. */
  etag: string;
  contentType: string;
  /** Response headers that S3 keeps with an object (`cache-control`, `content-encoding` ...), by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** `x-amz-meta-*`, without that prefix. */
  metadata: Readonly<Record<string, string>>;
  checksum?: ObjectChecksum | undefined;
}

export interface ObjectDescription extends ObjectProperties {
  sizeBytes: number;
  lastModifiedMs: number;
}

/** When a write or a deletion may happen; judged and done in one atomic step. */
export type ObjectCondition =
  | { kind: 'always' }
  /** Nothing is stored there yet (`If-None-Match: *`). */
  | { kind: 'absent' }
  /** Something is stored there, with this etag or, for `*`, with any (`If-Match`). */
  | { kind: 'matches'; etag: string };

/** `missing`: a condition that needs an object found none. */
export type ObjectCommitOutcome = { kind: 'done' } | { kind: 'precondition-failed' } | { kind: 'missing' };

/** An object on its way in. */
export interface ObjectUpload {
  /**
   * The bytes, to be read once; a chunk is not changed after it was given. Throws where they are not what their sender claims, or
   * break off.
   */
  chunks: AsyncIterable<Uint8Array>;
  /** After the last chunk: some of it is computed from them. */
  properties: () => ObjectProperties;
}

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** One version of an object, held open: an overwrite does not change what `read` gives. Call `read` or `release`. */
export interface OpenObject {
  description: ObjectDescription;
  /** Without a range the whole object. The stream releases the object when it ends or is destroyed. */
  read(range?: ByteRange): Readable;
  release(): Promise<void>;
}

export interface BucketSummary {
  name: string;
  createdMs: number;
}

export interface KeyRange extends ListRange {
  /** Most keys on the page. */
  limit: number;
}

/**
 * Where the S3 endpoint keeps objects: bytes with what S3 says about them. A missing bucket is an empty one here;
 * whether that is an error is the endpoint's business. Names and keys were checked before they get here.
 */
export interface ObjectBackend {
  buckets(): Promise<BucketSummary[]>;
  hasBucket(bucket: string): Promise<boolean>;
  /** `false` when it was there already. */
  createBucket(bucket: string): Promise<boolean>;
  /** Removes an empty bucket; `false` when it holds objects. */
  deleteBucket(bucket: string): Promise<boolean>;
  /**
   * Stores an object, which nobody sees before it is whole. Nothing of it is kept where the condition does not hold, or anything
   * throws.
   */
  put(at: ObjectAddress, upload: ObjectUpload, condition: ObjectCondition): Promise<ObjectCommitOutcome>;
  describe(at: ObjectAddress, options?: CallOptions): Promise<ObjectDescription | undefined>;
  open(at: ObjectAddress, options?: CallOptions): Promise<OpenObject | undefined>;
  /** Deleting what is not there is done already, unless the condition asks for it. */
  delete(at: ObjectAddress, condition: ObjectCondition): Promise<ObjectCommitOutcome>;
  list(range: KeyRange, options?: CallOptions): Promise<ListPage>;
}

/** True if the condition holds for what is stored now. */
export function judgeCondition(
  condition: ObjectCondition,
  stored: { etag: string } | undefined,
): ObjectCommitOutcome {
  switch (condition.kind) {
    case 'always':
      return { kind: 'done' };
    case 'absent':
      return stored === undefined ? { kind: 'done' } : { kind: 'precondition-failed' };
    case 'matches':
      if (stored === undefined) return { kind: 'missing' };
      return condition.etag === '*' || condition.etag === stored.etag
        ? { kind: 'done' }
        : { kind: 'precondition-failed' };
  }
}
