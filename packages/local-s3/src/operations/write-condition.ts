import type { ObjectCommitOutcome, ObjectCondition } from '../backend/object-backend.ts';
import { headerOf, type S3Call } from './s3-call.ts';
import { noSuchKey, notImplemented, preconditionFailed } from '../wire/s3-error.ts';

/**
 * The condition of a PUT or DELETE. S3 knows `If-None-Match: *` and `If-Match` with one etag (User Guide, "Conditional
 * writes").
 * @throws S3Error NotImplemented
 */
export function readWriteCondition(call: S3Call): ObjectCondition {
  const ifNoneMatch = headerOf(call, 'if-none-match');
  const ifMatch = headerOf(call, 'if-match');
  if (ifNoneMatch !== undefined && ifMatch !== undefined) {
    throw notImplemented('If-Match together with If-None-Match');
  }
  if (ifMatch !== undefined) return { kind: 'matches', etag: unquote(ifMatch) };
  if (ifNoneMatch === undefined) return { kind: 'always' };
  if (unquote(ifNoneMatch) === '*') return { kind: 'absent' };
  throw notImplemented('If-None-Match with anything but * on a write');
}

/** @throws S3Error PreconditionFailed, NoSuchKey */
export function assertCommitted(outcome: ObjectCommitOutcome, condition: ObjectCondition, key: string): void {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'precondition-failed':
      throw preconditionFailed(condition.kind === 'absent' ? 'If-None-Match' : 'If-Match');
    case 'missing':
      throw noSuchKey(key);
  }
}

/** An etag as it is compared: without the quotes, which clients may leave out. */
export function unquote(etag: string): string {
  return etag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1');
}
