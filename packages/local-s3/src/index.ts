export { FileObjectBackend, type FileObjectBackendOptions } from './backend/file-object-backend.ts';
export { MemoryObjectBackend } from './backend/memory-object-backend.ts';
export {
  judgeCondition,
  type KeyPage,
  type ObjectAddress,
  type ObjectBackend,
  type ObjectCommitOutcome,
  type ObjectCondition,
} from './backend/object-backend.ts';
export { delegateBackend, observedBackend, type WriteObservation } from './backend/observed-backend.ts';
export { isLoopbackHost } from './endpoint/refuse-browsers.ts';
export { ConnectionFault, registerS3Endpoint } from './endpoint/register-s3-endpoint.ts';
export type { S3Call, S3Reply } from './operations/s3-call.ts';
export {
  resolveS3Settings,
  type S3EndpointOptions,
  type S3Interceptor,
  type S3Settings,
} from './operations/s3-settings.ts';
export type { S3Address } from './wire/s3-address.ts';
export { noSuchKey, S3Error } from './wire/s3-error.ts';
