import type { ObjectAddress, ObjectBackend, ObjectCommitOutcome, ObjectCondition } from './object-backend.ts';

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

/** What became of a write or a deletion. */
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
    stage: async (at) => {
      const staged = await backend.stage(at);
      let sizeBytes = 0;
      return {
        write: async (chunk) => {
          sizeBytes += chunk.length;
          await staged.write(chunk);
        },
        commit: (properties, condition) =>
          observed(
            () => staged.commit(properties, condition),
            (outcome) =>
              listener.onWrite({ at, condition: condition.kind, outcome, etag: properties.etag, sizeBytes }),
          ),
        discard: () => staged.discard(),
      };
    },
    delete: (at, condition) =>
      observed(
        () => backend.delete(at, condition),
        (outcome) => listener.onDelete({ at, condition: condition.kind, outcome }),
      ),
  });
}

async function observed(
  act: () => Promise<ObjectCommitOutcome>,
  tell: (outcome: WriteObservation['outcome']) => void,
): Promise<ObjectCommitOutcome> {
  try {
    const outcome = await act();
    tell(outcome.kind);
    return outcome;
  } catch (error) {
    tell('failed');
    throw error;
  }
}
