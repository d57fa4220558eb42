import {
  aBoolean,
  aFunction,
  aNumber,
  matching,
  optional,
  type OptionRules,
  readOptions,
  withMethod,
} from '@art/protocol';

import { MemoryObjectBackend } from '../backend/memory-object-backend.ts';
import type { ObjectBackend } from '../backend/object-backend.ts';
import type { S3Call, S3CallSettings, S3Reply } from './s3-call.ts';

/**
 * Stands between a request and its operation: may change either, throw instead (an S3Error is answered, a ConnectionFault ends
 * the connection), or take its time.
 */
export type S3Interceptor = (call: S3Call, operate: (call: S3Call) => Promise<S3Reply>) => Promise<S3Reply>;

export interface S3EndpointOptions {
  /**
   * Where objects are kept: `MemoryObjectBackend`, `FileObjectBackend` or your own.
   * @default new MemoryObjectBackend()
   */
  backend?: ObjectBackend | undefined;
  /**
   * Whether every bucket with a valid name is there, empty until the first object comes. With `false` a bucket must be
   * created first, and requests to others answer 404 NoSuchBucket.
   * @default true
   */
  autoCreateBuckets?: boolean | undefined;
  /**
   * `false` answers like S3 to credentials without s3:ListBucket: 403 to lists, to HEAD of a bucket, and to GET and HEAD
   * of keys that are not there.
   * @default true
   */
  listBucketAllowed?: boolean | undefined;
  /** Answered by GetBucketLocation and in `x-amz-bucket-region`. @default 'us-west-2' */
  region?: string | undefined;
  /** Largest object, in bytes; more is refused with EntityTooLarge. @default 5_368_709_120 (S3's limit for one PUT) */
  maxObjectBytes?: number | undefined;
  /** @default every request goes straight to its operation */
  intercept?: S3Interceptor | undefined;
}

export interface S3Settings extends S3CallSettings {
  readonly intercept: S3Interceptor;
}

const rules = {
  backend: optional(withMethod('an object backend', 'stage')),
  autoCreateBuckets: optional(aBoolean, true),
  listBucketAllowed: optional(aBoolean, true),
  region: optional(matching('the name of a region', /^[a-z0-9-]+$/), 'us-west-2'),
  maxObjectBytes: optional(aNumber({ min: 1, integer: true }), 5 * 1_024 ** 3),
  intercept: optional(aFunction()),
} satisfies OptionRules<S3EndpointOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveS3Settings(options: S3EndpointOptions): S3Settings {
  const {
    backend = new MemoryObjectBackend(),
    intercept = straightOn,
    ...settings
  } = readOptions('the S3 endpoint', options, rules);
  return { ...settings, backend, intercept };
}

function straightOn(call: S3Call, operate: (call: S3Call) => Promise<S3Reply>): Promise<S3Reply> {
  return operate(call);
}
