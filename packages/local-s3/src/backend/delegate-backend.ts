import type { ObjectBackend } from './object-backend.ts';

/** A backend that does some things itself and leaves the others to another one. */
export function delegateBackend(backend: ObjectBackend, own: Partial<ObjectBackend>): ObjectBackend {
  return {
    buckets: () => backend.buckets(),
    hasBucket: (bucket) => backend.hasBucket(bucket),
    createBucket: (bucket) => backend.createBucket(bucket),
    deleteBucket: (bucket) => backend.deleteBucket(bucket),
    stage: (at) => backend.stage(at),
    describe: (at, options) => backend.describe(at, options),
    open: (at, options) => backend.open(at, options),
    delete: (at, condition) => backend.delete(at, condition),
    list: (range, options) => backend.list(range, options),
    ...own,
  };
}
