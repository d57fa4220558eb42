import {
  aBoolean,
  aFunction,
  aNumber,
  matching,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';

import { MemoryObjectBackend } from '../backend/memory-object-backend.ts';
import { isServedBucketName } from '../wire/bucket-name.ts';
import type { S3Call, S3EndpointOptions, S3Reply, S3Settings } from './s3-call.ts';

function bucketNames(given: unknown, option: string): readonly string[] {
  if (Array.isArray(given) && given.every((name) => typeof name === 'string' && isServedBucketName(name)))
    return given as string[];
  return refuseOption(option, 'a list of bucket names', given);
}

const rules = {
  backend: optional(withMethod('an object backend', 'put')),
  buckets: optional(bucketNames, []),
  autoCreateBuckets: optional(aBoolean, false),
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
