import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  headBucket,
  listBuckets,
} from './bucket-operations.ts';
import { deleteObject, deleteObjects } from './delete-objects.ts';
import { getObject, headObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { putObject } from './put-object.ts';
import type { S3Call, S3Reply } from './s3-call.ts';
import type { S3OperationName } from './s3-operation-name.ts';
import { notImplemented, s3Error } from '../wire/s3-error.ts';

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

const operations: Record<S3OperationName, (call: S3Call) => Promise<S3Reply>> = {
  ListBuckets: listBuckets,
  CreateBucket: createBucket,
  HeadBucket: headBucket,
  DeleteBucket: deleteBucket,
  GetBucketLocation: getBucketLocation,
  ListObjects: listObjects,
  ListObjectsV2: listObjects,
  PutObject: putObject,
  GetObject: getObject,
  HeadObject: headObject,
  DeleteObject: deleteObject,
  DeleteObjects: deleteObjects,
};

/**
 * Does the operation that a request is.
 * @throws S3Error NotImplemented, MethodNotAllowed and those of the operation
 */
export async function runS3Operation(call: S3Call): Promise<S3Reply> {
  const { operation, method, query, headers } = call;
  const parameter = unsupportedParameters.find((name) => query.has(name) && query.get(name) !== 'null');
  if (parameter !== undefined) throw notImplemented(`${method} with ?${parameter}`);
  const header = unsupportedHeaders.find((name) => headers[name] !== undefined);
  if (header !== undefined) throw notImplemented(`${method} with ${header}`);
  if (operation !== undefined) return operations[operation](call);
  if (method === 'POST' && call.at.bucket !== '') {
    throw notImplemented(call.at.key === '' ? 'POST of a bucket without ?delete' : 'POST of an object');
  }
  throw s3Error('MethodNotAllowed', { details: { Method: method } });
}
