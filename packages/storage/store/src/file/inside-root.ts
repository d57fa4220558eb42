import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { ResultLocation } from '../result-store.ts';
import { refuseCall } from '../store-error.ts';
import { undefinedIfNotThere } from './file-failure.ts';

/**
 * Where a file below the root really is; undefined where there is none. The root itself may be a symbolic link. A look before
 * the act: it is no defence against a program that swaps folders for links at that very moment.
 * @throws StoreError `ART_INVALID_RESULT_KEY` when a symbolic link leads out of the root
 */
export async function realPathInside(
  root: string,
  path: string,
  operation: string,
  at: ResultLocation,
): Promise<string | undefined> {
  const real = await realpath(path).catch(undefinedIfNotThere);
  if (real === undefined) return undefined;
  const realRoot = await realpath(root);
  if (real === realRoot || real.startsWith(join(realRoot, sep))) return real;
  return refuse(path, real, operation, at);
}

/**
 * Makes sure that a file which may not exist yet would be made inside the root: looks at the nearest folder that is there.
 * @throws StoreError `ART_INVALID_RESULT_KEY` when a symbolic link leads out of the root, or to nothing
 */
export async function assertInsideRoot(
  root: string,
  path: string,
  operation: string,
  at: ResultLocation,
): Promise<void> {
  for (let existing = path; existing.length > root.length; existing = dirname(existing)) {
    const found = await lstat(existing).catch(undefinedIfNotThere);
    if (found === undefined) continue;
    if ((await realPathInside(root, existing, operation, at)) !== undefined) return;
    if (found.isSymbolicLink()) refuse(existing, 'a place that does not exist', operation, at);
  }
}

function refuse(path: string, target: string, operation: string, at: ResultLocation): never {
  const message = `Expected ${path} to be inside the root of the store, but a symbolic link leads to ${target}. Remove the link, or move the whole root to that place.`;
  refuseCall('ART_INVALID_RESULT_KEY', operation, at, message);
}
