export { credentialFailures } from './credential-failures.ts';
export { readServiceFailure, type S3ServiceFailure } from './s3-service-failure.ts';
