import type {
  ObjectAddress,
  ObjectBackend,
  ObjectCommitOutcome,
  ObjectCondition,
  ObjectProperties,
} from './object-backend.ts';

/** A backend that does some things itself and leaves the others to another one. */
export function delegateBackend(backend: ObjectBackend, own: Partial<ObjectBackend>): ObjectBackend {
  return {
    buckets: () => backend.buckets(),
    hasBucket: (bucket) => backend.hasBucket(bucket),
    createBucket: (bucket) => backend.createBucket(bucket),
    deleteBucket: (bucket) => backend.deleteBucket(bucket),
    put: (at, upload, condition) => backend.put(at, upload, condition),
    describe: (at, options) => backend.describe(at, options),
    open: (at, options) => backend.open(at, options),
    delete: (at, condition) => backend.delete(at, condition),
    list: (range, options) => backend.list(range, options),
    ...own,
  };
}

/** Outcome of a write or a deletion. */
export interface WriteObservation {
  at: ObjectAddress;
  condition: ObjectCondition['kind'];
  /** `failed`: the backend could not do it. */
  outcome: ObjectCommitOutcome['kind'] | 'failed';
  etag?: string | undefined;
  sizeBytes?: number | undefined;
}

/** A view of a backend that tells of every write and deletion once it is judged. */
export function observedBackend(
  backend: ObjectBackend,
  listener: { onWrite(write: WriteObservation): void; onDelete(deletion: WriteObservation): void },
): ObjectBackend {
  return delegateBackend(backend, {
    put: async (at, upload, condition) => {
      let sizeBytes = 0;
      let etag: string | undefined;
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for await (const chunk of upload.chunks) {
          sizeBytes += chunk.length;
          yield chunk;
        }
      }
      const properties = (): ObjectProperties => {
        const known = upload.properties();
        ({ etag } = known);
        return known;
      };
      return observed(backend.put(at, { chunks: chunks(), properties }, condition), (outcome) => {
        // A body that broke off was never judged.
        if (etag !== undefined) listener.onWrite({ at, condition: condition.kind, outcome, etag, sizeBytes });
      });
    },
    delete: (at, condition) =>
      observed(backend.delete(at, condition), (outcome) =>
        listener.onDelete({ at, condition: condition.kind, outcome }),
      ),
  });
}

async function observed(
  acting: Promise<ObjectCommitOutcome>,
  tell: (outcome: WriteObservation['outcome']) => void,
): Promise<ObjectCommitOutcome> {
  const outcome = await acting.catch((error: unknown) => {
    tell('failed');
    throw error;
  });
  tell(outcome.kind);
  return outcome;
}
