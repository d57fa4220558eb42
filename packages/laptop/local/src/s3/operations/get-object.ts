import { readByteRange } from './byte-range.ts';
import type { ObjectDescription } from '../backend/object-backend.ts';
import { checksumHeaders, objectHeaders } from './object-headers.ts';
import { judgeReadCondition } from './conditions.ts';
import { assertBucket, s3HeaderOf, type S3Call, type S3Reply } from './s3-call.ts';
import { accessDenied, noSuchKey, type S3Error } from '../wire/s3-error.ts';

/** Headers of the answer that a query may replace, as presigned downloads do. */
const replaceable = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

/** GetObject. */
export async function getObject(call: S3Call): Promise<S3Reply> {
  await assertBucket(call);
  const object = await call.settings.backend.open(call.at, call);
  if (object === undefined) throw missing(call);
  try {
    const { description } = object;
    const head = describeReply(call, description);
    if (head.statusCode === 304) {
      await object.release();
      return head;
    }
    const range = readByteRange(s3HeaderOf(call, 'range'), description.sizeBytes);
    return { ...head, body: object.read(range) };
  } catch (error) {
    await object.release();
    throw error;
  }
}

/** HeadObject: the same headers, and no body. */
export async function headObject(call: S3Call): Promise<S3Reply> {
  await assertBucket(call);
  const description = await call.settings.backend.describe(call.at, call);
  if (description === undefined) throw missing(call);
  return describeReply(call, description);
}

function describeReply(call: S3Call, description: ObjectDescription): S3Reply {
  const headers = objectHeaders(description);
  if (judgeReadCondition(call, description) === 'not-modified') return { statusCode: 304, headers };
  for (const name of replaceable) {
    const value = call.query.get(`response-${name}`);
    if (value !== null && !/[\u0000-\u001f\u007f]|[^\u0000-\u00ff]/.test(value)) headers[name] = value;
  }
  const range = readByteRange(s3HeaderOf(call, 'range'), description.sizeBytes);
  if (range !== undefined) {
    headers['content-range'] = `bytes ${range.start}-${range.end}/${description.sizeBytes}`;
    headers['content-length'] = String(range.end - range.start + 1);
    return { statusCode: 206, headers };
  }
  // A checksum of the whole object would not fit a part of it.
  const withChecksum = s3HeaderOf(call, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
  headers['content-length'] = String(description.sizeBytes);
  return {
    statusCode: 200,
    headers: withChecksum ? { ...headers, ...checksumHeaders(description.checksum) } : headers,
  };
}

/** S3 tells only those who may list the bucket that a key is not there (API reference, GetObject, "Permissions"). */
function missing(call: S3Call): S3Error {
  return call.settings.listBucketAllowed
    ? noSuchKey(call.at.key)
    : accessDenied('no s3:ListBucket, and no such key.');
}
