import type { ObjectAddress } from '../backend/object-backend.ts';
import { assertBucket, type S3Call, type S3Reply } from './s3-call.ts';
import { assertCommitted, readWriteCondition } from './write-condition.ts';

/** DeleteObject: 204 whether or not there was one. */
export async function deleteObject(call: S3Call, at: ObjectAddress): Promise<S3Reply> {
  const condition = readWriteCondition(call);
  await assertBucket(call, at.bucket);
  assertCommitted(await call.settings.backend.delete(at, condition), condition, at.key);
  return { statusCode: 204 };
}
