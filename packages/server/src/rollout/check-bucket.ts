import { ArtError, describeValue } from '@art/protocol';

/**
 * Refuses a bucket that no store should ever see: a store that makes a path of it would be led elsewhere, and one that makes
 * a header of it could be made to send another one. Names with slashes and colons are those of S3 access points.
 * @throws ArtError `ART_INVALID_BUCKET`
 */
export function checkBucket(bucket: string): void {
  const isEvasive = bucket.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (
    !isEvasive &&
    bucket.length <= 2_048 &&
    bucket.isWellFormed() &&
    !/[\u0000-\u001f\u007f\\]/.test(bucket)
  )
    return;
  throw new ArtError({
    code: 'ART_INVALID_BUCKET',
    message: `Expected s3_bucket to be a bucket name without ".", ".." or nothing between slashes, backslashes and control characters, got ${describeValue(bucket)}.`,
  });
}
