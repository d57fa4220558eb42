import type { S3Target } from '../wire/s3-address.ts';

/** The operations that are served, as the S3 API reference names them. */
export type S3OperationName =
  | 'ListBuckets'
  | 'CreateBucket'
  | 'HeadBucket'
  | 'DeleteBucket'
  | 'GetBucketLocation'
  | 'ListObjects'
  | 'ListObjectsV2'
  | 'PutObject'
  | 'GetObject'
  | 'HeadObject'
  | 'DeleteObject'
  | 'DeleteObjects';

/** Which operation a request is, unless a parameter or header makes another of it; undefined for none that is served. */
export function s3OperationName(
  method: string,
  { at: { bucket, key }, query }: S3Target,
): S3OperationName | undefined {
  const about = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object';
  switch (`${method} ${about}`) {
    case 'GET service':
      return 'ListBuckets';
    case 'GET bucket':
      if (query.has('location')) return 'GetBucketLocation';
      return query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects';
    case 'HEAD bucket':
      return 'HeadBucket';
    case 'PUT bucket':
      return 'CreateBucket';
    case 'DELETE bucket':
      return 'DeleteBucket';
    case 'POST bucket':
      return query.has('delete') ? 'DeleteObjects' : undefined;
    case 'GET object':
      return 'GetObject';
    case 'HEAD object':
      return 'HeadObject';
    case 'PUT object':
      return 'PutObject';
    case 'DELETE object':
      return 'DeleteObject';
    default:
      return undefined;
  }
}
