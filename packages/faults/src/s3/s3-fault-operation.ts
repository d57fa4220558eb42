import type { S3Call } from '@art/local-s3';
import type { S3FaultOperation } from '../plan/fault-target.ts';

/** Which operation of a plan an S3 request is, and what it is about; undefined for those that no plan can name. */
export function s3FaultOperationOf(
  call: S3Call,
): { operation: S3FaultOperation; bucket: string; key: string | undefined } | undefined {
  const { address, method, query } = call;
  if (address.kind === 'service') return undefined;
  if (address.kind === 'bucket') {
    const { bucket } = address;
    if (method === 'GET' && !query.has('location')) {
      return { operation: 's3_list', bucket, key: query.get('prefix') ?? '' };
    }
    return method === 'POST' && query.has('delete')
      ? { operation: 's3_delete', bucket, key: undefined }
      : undefined;
  }
  const { bucket, key } = address;
  switch (method) {
    case 'PUT':
      return { operation: 's3_put', bucket, key };
    case 'GET':
      return { operation: 's3_get', bucket, key };
    case 'HEAD':
      return { operation: 's3_head', bucket, key };
    case 'DELETE':
      return { operation: 's3_delete', bucket, key };
    default:
      return undefined;
  }
}
