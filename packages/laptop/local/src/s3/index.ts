export { FileObjectBackend, type FileObjectBackendOptions } from './backend/file-object-backend.ts';
export { MemoryObjectBackend } from './backend/memory-object-backend.ts';
export {
  judgeCondition,
  type ObjectAddress,
  type ObjectBackend,
  type ObjectCommitOutcome,
  type ObjectCondition,
} from './backend/object-backend.ts';
export { delegateBackend, observedBackend, type WriteObservation } from './backend/observed-backend.ts';
export { ConnectionFault, registerS3Endpoint } from './endpoint/register-s3-endpoint.ts';
export type { S3Call, S3EndpointOptions, S3Interceptor, S3Reply, S3Settings } from './operations/s3-call.ts';
export type { S3OperationName } from './operations/s3-operation-name.ts';
export { resolveS3Settings } from './operations/s3-settings.ts';
export { noSuchKey, S3Error } from './wire/s3-error.ts';
