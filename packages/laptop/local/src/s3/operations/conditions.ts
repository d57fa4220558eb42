import type { ObjectCommitOutcome, ObjectCondition, ObjectDescription } from '../backend/object-backend.ts';
import { s3HeaderOf, type S3Call } from './s3-call.ts';
import { noSuchKey, notImplemented, preconditionFailed } from '../wire/s3-error.ts';

/**
 * The condition of a PUT or DELETE. S3 knows `If-None-Match: *` and `If-Match` with one etag (User Guide, "Conditional
 * writes").
 * @throws S3Error NotImplemented
 */
export function readWriteCondition(call: S3Call): ObjectCondition {
  const ifNoneMatch = s3HeaderOf(call, 'if-none-match');
  const ifMatch = s3HeaderOf(call, 'if-match');
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
function unquote(etag: string): string {
  return etag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1');
}

/**
 * The conditions of a GET or HEAD, in the order of RFC 9110, section 13.2.2.
 * @throws S3Error PreconditionFailed
 */
export function judgeReadCondition(call: S3Call, description: ObjectDescription): 'read' | 'not-modified' {
  const ifMatch = s3HeaderOf(call, 'if-match');
  const ifNoneMatch = s3HeaderOf(call, 'if-none-match');
  const modifiedSince = dateOf(s3HeaderOf(call, 'if-modified-since'));
  const unmodifiedSince = dateOf(s3HeaderOf(call, 'if-unmodified-since'));
  // The headers have whole seconds.
  const modifiedMs = Math.floor(description.lastModifiedMs / 1_000) * 1_000;
  if (ifMatch !== undefined) {
    if (!names(ifMatch, description.etag)) throw preconditionFailed('If-Match');
  } else if (unmodifiedSince !== undefined && modifiedMs > unmodifiedSince) {
    throw preconditionFailed('If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, description.etag) ? 'not-modified' : 'read';
  return modifiedSince !== undefined && modifiedMs <= modifiedSince ? 'not-modified' : 'read';
}

function names(header: string, etag: string): boolean {
  return header.split(',').some((part) => unquote(part) === '*' || unquote(part) === etag);
}

/** A date that cannot be read is no condition. */
function dateOf(header: string | undefined): number | undefined {
  const timeMs = Date.parse(header ?? '');
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
