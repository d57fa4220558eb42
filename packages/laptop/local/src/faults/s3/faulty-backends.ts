import { delegateBackend } from '../../s3/backend/observed-backend.ts';
import { judgeCondition, type ObjectBackend } from '../../s3/backend/object-backend.ts';
import type { HiddenKeys } from './hidden-keys.ts';

/** A view of a backend whose commits judge and answer like the real ones, and keep nothing. */
export function forgetfulBackend(backend: ObjectBackend): ObjectBackend {
  return delegateBackend(backend, {
    put: async (at, { chunks }, condition) => {
      await Array.fromAsync(chunks, () => undefined);
      return judgeCondition(condition, await backend.describe(at));
    },
  });
}

/** A view of a backend whose lists leave hidden keys out. */
export function partialListingBackend(backend: ObjectBackend, hidden: HiddenKeys): ObjectBackend {
  return delegateBackend(backend, {
    list: async (range, options) => {
      let page = await backend.list(range, options);
      if (hidden.isEmpty) return page;
      for (;;) {
        const keys = page.keys.filter((key) => !hidden.has({ bucket: range.bucket, key }));
        const startAfter = page.keys.at(-1);
        // Anyone who asks continues behind the last key of a page, so a page that is not the last one must have a key.
        if (keys.length > 0 || !page.truncated || startAfter === undefined) return { ...page, keys };
        page = await backend.list({ ...range, startAfter }, options);
      }
    },
  });
}
