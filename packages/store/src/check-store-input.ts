import { aNumber, describeValue, maxResultKeyBytes, refuseOption } from '@art/protocol';
import type { ListRange, ResultLocation, WatchRange } from './result-store.ts';
import { StoreError } from './store-error.ts';

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
    refuseKey(
      operation,
      at,
      `Expected a key that is non-empty, well-formed text, got ${describeValue(at.key)}.`,
    );
  }
  const bytes = Buffer.byteLength(at.key);
  if (bytes > maxResultKeyBytes) {
    refuseKey(
      operation,
      at,
      `Expected a key of at most ${maxResultKeyBytes} bytes, got ${bytes}. Shorten exp_id or input_id.`,
    );
  }
}

/**
 * Refuses a body that would not come back as it was given.
 * @throws StoreError `ART_INVALID_RESULT_BODY`
 */
export function checkBody(at: ResultLocation, body: string): void {
  if (typeof body === 'string' && body.isWellFormed()) return;
  const got = typeof body === 'string' ? 'text with an unpaired surrogate' : describeValue(body);
  throw new StoreError({
    code: 'ART_INVALID_RESULT_BODY',
    operation: 'put',
    ...at,
    retryable: false,
    message: `Expected a body of well-formed text, got ${got}. Write it with formatResultDocument or stringifyJson.`,
  });
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
    refuseKey(
      operation,
      { bucket: range.bucket, key: range.prefix },
      `Expected a prefix of well-formed text (empty for all keys), got ${describeValue(range.prefix)}.`,
    );
  }
}

function checkBucket(operation: string, bucket: string, key: string): void {
  if (typeof bucket === 'string' && bucket !== '' && bucket.isWellFormed()) return;
  throw new StoreError({
    code: 'ART_INVALID_BUCKET',
    operation,
    bucket,
    key,
    retryable: false,
    message: `Expected a bucket name, got ${describeValue(bucket)}.`,
  });
}

function refuseKey(operation: string, at: ResultLocation, message: string): never {
  throw new StoreError({ code: 'ART_INVALID_RESULT_KEY', operation, ...at, message, retryable: false });
}
