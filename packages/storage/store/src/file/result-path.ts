import { join } from 'node:path';
import type { ResultLocation } from '../result-store.ts';
import { refuseCall } from '../store-error.ts';
import { directoryNames, fileNames } from './file-name-codec.ts';

/**
 * The file of a key below the store's root, whatever the key: `..` and nothing between slashes are encoded.
 * @throws StoreError `ART_INVALID_BUCKET`
 */
export function resultPath(root: string, operation: string, at: ResultLocation): string {
  const segments = at.key.split('/');
  const file = segments.pop()!;
  return join(bucketPath(root, operation, at), ...segments.flatMap(directoryNames), ...fileNames(file));
}

/** @throws StoreError `ART_INVALID_BUCKET` */
export function bucketPath(root: string, operation: string, at: ResultLocation): string {
  if (at.bucket.split('/').some(isEvasive)) {
    const message = 'Expected a bucket name without ".", ".." or nothing between slashes.';
    refuseCall('ART_INVALID_BUCKET', operation, at, message);
  }
  return join(root, ...directoryNames(at.bucket));
}

/**
 * Refuses a key that as a path would lead elsewhere: with `.`, `..` or nothing between slashes. No result is meant to be
 * kept there, so it is a mistake in an `exp_id` or `input_id`.
 * @throws StoreError `ART_INVALID_RESULT_KEY`
 */
export function checkResultKey(operation: string, at: ResultLocation): void {
  if (!at.key.split('/').some(isEvasive)) return;
  const message =
    'Expected a key without ".", ".." or nothing between slashes and without a slash at either end: as a path it would lead elsewhere. Choose another exp_id or input_id.';
  refuseCall('ART_INVALID_RESULT_KEY', operation, at, message);
}

/** True if a segment of a path names something other than an entry of the directory before it. */
export function isEvasive(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..';
}
