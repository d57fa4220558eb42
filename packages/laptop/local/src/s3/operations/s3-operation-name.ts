import type { S3Target } from '../wire/s3-address.ts';

/** The operations that are served, as the S3 API reference names them, by what their requests look like. */
const operationNames = {
  'GET service': 'ListBuckets',
  'PUT bucket': 'CreateBucket',
  'HEAD bucket': 'HeadBucket',
  'DELETE bucket': 'DeleteBucket',
  'GET bucket?location': 'GetBucketLocation',
  'GET bucket': 'ListObjects',
  'GET bucket?list-type=2': 'ListObjectsV2',
  'POST bucket?delete': 'DeleteObjects',
  'PUT object': 'PutObject',
  'GET object': 'GetObject',
  'HEAD object': 'HeadObject',
  'DELETE object': 'DeleteObject',
} as const;

export type S3OperationName = (typeof operationNames)[keyof typeof operationNames];

/** Which operation a request is, unless a parameter or header makes another of it; undefined for none that is served. */
export function s3OperationName(
  method: string,
  { at: { bucket, key }, query }: S3Target,
): S3OperationName | undefined {
  const names: Readonly<Record<string, S3OperationName | undefined>> = operationNames;
  const request = `${method} ${bucket === '' ? 'service' : key === '' ? 'bucket' : 'object'}`;
  return (
    (query.has('location') ? names[`${request}?location`] : undefined) ??
    (query.get('list-type') === '2' ? names[`${request}?list-type=2`] : undefined) ??
    (query.has('delete') ? names[`${request}?delete`] : undefined) ??
    names[request]
  );
}
