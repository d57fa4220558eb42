import type { S3Call, S3Reply } from './s3-call.ts';

/**
 * Stands between a request and its operation: may change either, throw instead (an S3Error is answered, a ConnectionFault ends
 * the connection), or take its time.
 */
export type S3Interceptor = (call: S3Call, operate: (call: S3Call) => Promise<S3Reply>) => Promise<S3Reply>;
