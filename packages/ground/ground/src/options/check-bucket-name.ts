import { ArtError } from '../errors/art-error.ts';
import { describeValue } from '../errors/describe-value.ts';

// Source: S3 user guide, "General purpose bucket naming rules".
const name = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
// S3 takes the ARN of an access point wherever it takes the name of a bucket.
const accessPoint = /^arn:aws[a-z0-9-]*:s3[a-z0-9-]*:[a-z0-9-]*:\d{12}:[\w.:/-]+$/;

/** The expected form of a bucket name, for messages. */
export const bucketNameExpected = 'a bucket name of 3 to 63 lower-case letters, digits, "-" and "."';

/** True if S3 would take it as the name of a bucket: a name, or the ARN of an access point. */
export function isBucketName(bucket: unknown): bucket is string {
  return typeof bucket === 'string' && (name.test(bucket) || accessPoint.test(bucket));
}

/** @throws ArtError `ART_INVALID_BUCKET` for what S3 would not take as the name of a bucket */
export function checkBucketName(bucket: unknown): asserts bucket is string {
  if (isBucketName(bucket)) return;
  throw new ArtError({
    code: 'ART_INVALID_BUCKET',
    message: `Expected ${bucketNameExpected}, got ${describeValue(bucket)}.`,
  });
}
