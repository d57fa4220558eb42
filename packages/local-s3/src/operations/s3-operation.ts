import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  headBucket,
  listBuckets,
} from './bucket-operations.ts';
import { deleteObject, deleteObjects } from './delete-objects.ts';
import { getObject, headObject } from './get-object.ts';
import { listObjectsV1, listObjectsV2 } from './list-objects.ts';
import { putObject } from './put-object.ts';
import type { S3Call, S3Reply } from './s3-call.ts';
import { notImplemented, S3Error } from '../wire/s3-error.ts';

/**
 * Query parameters that turn a request into an operation that is not here. To ignore one would do something else than
 * what was asked, like storing a part of a multipart upload as the object.
 */
const unsupportedParameters = [
  'accelerate',
  'acl',
  'analytics',
  'annotation',
  'append',
  'attributes',
  'cors',
  'encryption',
  'intelligent-tiering',
  'inventory',
  'legal-hold',
  'lifecycle',
  'logging',
  'metadataConfiguration',
  'metadataTable',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'partNumber',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'renameObject',
  'replication',
  'requestPayment',
  'restore',
  'retention',
  'select',
  'session',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versionId',
  'versioning',
  'versions',
  'website',
];

/** Headers that do the same. */
const unsupportedHeaders = [
  'x-amz-copy-source',
  'x-amz-server-side-encryption-customer-algorithm',
  'x-amz-write-offset-bytes',
];

/**
 * Finds out which operation a request is, and does it.
 * @throws S3Error NotImplemented, MethodNotAllowed and those of the operation
 */
export async function runS3Operation(call: S3Call): Promise<S3Reply> {
  const { address, method, query } = call;
  const parameter = unsupportedParameters.find((name) => query.has(name) && query.get(name) !== 'null');
  if (parameter !== undefined) throw notImplemented(`${method} with ?${parameter}`);
  const header = unsupportedHeaders.find((name) => call.headers[name] !== undefined);
  if (header !== undefined) throw notImplemented(`${method} with ${header}`);
  switch (address.kind) {
    case 'service':
      if (method === 'GET') return listBuckets(call);
      throw methodNotAllowed(method);
    case 'bucket':
      return runBucketOperation(call, address.bucket);
    case 'object':
      return runObjectOperation(call, address);
  }
}

async function runBucketOperation(call: S3Call, bucket: string): Promise<S3Reply> {
  const { method, query } = call;
  switch (method) {
    case 'GET':
      if (query.has('location')) return getBucketLocation(call, bucket);
      return query.get('list-type') === '2' ? listObjectsV2(call, bucket) : listObjectsV1(call, bucket);
    case 'HEAD':
      return headBucket(call, bucket);
    case 'PUT':
      return createBucket(call, bucket);
    case 'DELETE':
      return deleteBucket(call, bucket);
    case 'POST':
      if (query.has('delete')) return deleteObjects(call, bucket);
      throw notImplemented('POST of a bucket without ?delete');
    default:
      throw methodNotAllowed(method);
  }
}

async function runObjectOperation(call: S3Call, at: { bucket: string; key: string }): Promise<S3Reply> {
  switch (call.method) {
    case 'GET':
      return getObject(call, at);
    case 'HEAD':
      return headObject(call, at);
    case 'PUT':
      return putObject(call, at);
    case 'DELETE':
      return deleteObject(call, at);
    case 'POST':
      throw notImplemented('POST of an object');
    default:
      throw methodNotAllowed(call.method);
  }
}

function methodNotAllowed(method: string): S3Error {
  return new S3Error(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    details: { Method: method },
  });
}
