import { aNumber, describeValue, refuseOption } from '@art/ground';
import { maxResultKeyBytes } from '@art/protocol';
import type { ListRange, ResultLocation, WatchRange } from './result-store.ts';
import { refuseCall } from './store-error.ts';

/** Most keys on one page of a listing, as S3 has it. */
const maxListLimit = 1_000;
const aLimit = aNumber({ min: 1, max: maxListLimit, integer: true });

/**
 * Refuses an address that no store could hold: empty, not text, not well-formed Unicode, a key of more than 1,024 bytes.
 * @throws StoreError `ART_INVALID_BUCKET`, `ART_INVALID_RESULT_KEY`
 */
export function checkLocation(operation: string, at: ResultLocation): void {
  checkBucket(operation, at.bucket, at.key);
  if (typeof at.key !== 'string' || at.key === '' || !at.key.isWellFormed()) {
    const message = `Expected a key that is non-empty, well-formed text, got ${describeValue(at.key)}.`;
    refuseCall('ART_INVALID_RESULT_KEY', operation, at, message);
  }
  const bytes = Buffer.byteLength(at.key);
  if (bytes > maxResultKeyBytes) {
    const message = `Expected a key of at most ${maxResultKeyBytes} bytes, got ${bytes}. Shorten exp_id or input_id.`;
    refuseCall('ART_INVALID_RESULT_KEY', operation, at, message);
  }
}

/**
 * Refuses a body that would not come back as it was given.
 * @throws StoreError `ART_INVALID_RESULT_BODY`
 */
export function checkBody(at: ResultLocation, body: string): void {
  if (typeof body === 'string' && body.isWellFormed()) return;
  const got = typeof body === 'string' ? 'text with an unpaired surrogate' : describeValue(body);
  const message = `Expected a body of well-formed text, got ${got}. Write it with formatResultDocument or stringifyJson.`;
  refuseCall('ART_INVALID_RESULT_BODY', 'put', at, message);
}

/**
 * Checks a range to be listed and fills in its limit.
 * @throws StoreError `ART_INVALID_BUCKET`, `ART_INVALID_RESULT_KEY`; ArtError `ART_INVALID_OPTION` for the limit
 */
export function checkListRange(range: ListRange): { limit: number } {
  checkWatchRange('list', range);
  const { startAfter, limit = maxListLimit } = range;
  if (startAfter !== undefined && (typeof startAfter !== 'string' || !startAfter.isWellFormed())) {
    refuseOption('startAfter', 'a key', startAfter);
  }
  return { limit: aLimit(limit, 'limit') };
}

/** @throws StoreError `ART_INVALID_BUCKET`, `ART_INVALID_RESULT_KEY` */
export function checkWatchRange(operation: string, range: WatchRange): void {
  checkBucket(operation, range.bucket, range.prefix);
  if (typeof range.prefix !== 'string' || !range.prefix.isWellFormed()) {
    const message = `Expected a prefix of well-formed text (empty for all keys), got ${describeValue(range.prefix)}.`;
    const { bucket, prefix: key } = range;
    refuseCall('ART_INVALID_RESULT_KEY', operation, { bucket, key }, message);
  }
}

function checkBucket(operation: string, bucket: string, key: string): void {
  if (typeof bucket === 'string' && bucket !== '' && bucket.isWellFormed()) return;
  const message = `Expected a bucket name, got ${describeValue(bucket)}.`;
  refuseCall('ART_INVALID_BUCKET', operation, { bucket, key }, message);
}
