import { judgeCondition } from '../backend/object-backend.ts';
import { checksumHeaders, readObjectHeaders } from './object-headers.ts';
import { planBody, readObjectBody } from '../body/request-body.ts';
import { assertBucket, type S3Call, type S3Reply } from './s3-call.ts';
import { assertCommitted, readWriteCondition } from './conditions.ts';

/** PutObject. All that can be refused without the body is refused before the client is asked for it. */
export async function putObject(call: S3Call): Promise<S3Reply> {
  const { at } = call;
  const { backend, maxObjectBytes } = call.settings;
  const condition = readWriteCondition(call);
  const headers = readObjectHeaders(call.headers);
  const plan = planBody(call.headers, maxObjectBytes);
  await assertBucket(call);
  if (condition.kind !== 'always') {
    assertCommitted(judgeCondition(condition, await backend.describe(at, call)), condition, at.key);
  }
  const { chunks, verified } = readObjectBody(call, plan);
  const upload = { chunks, properties: () => ({ ...headers, ...verified() }) };
  assertCommitted(await backend.put(at, upload, condition), condition, at.key);
  const { etag, checksum } = verified();
  return { statusCode: 200, headers: { etag: `"${etag}"`, ...checksumHeaders(checksum) } };
}
