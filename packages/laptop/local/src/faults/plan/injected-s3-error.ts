import { S3Error } from '../../s3/wire/s3-error.ts';
import type { ErrorFault } from './fault.ts';

/** Codes and messages of the S3 API reference, "Error responses". */
const shapes: Record<number, [code: string, message: string]> = {
  400: [
    'RequestTimeout',
    'Your socket connection to the server was not read from or written to within the timeout period.',
  ],
  403: ['AccessDenied', 'Access Denied'],
  404: ['NoSuchKey', 'The specified key does not exist.'],
  409: [
    'ConditionalRequestConflict',
    'The conditional request cannot succeed due to a conflicting operation against this resource.',
  ],
  412: ['PreconditionFailed', 'At least one of the pre-conditions you specified did not hold'],
  500: ['InternalError', 'We encountered an internal error. Please try again.'],
  503: ['SlowDown', 'Please reduce your request rate.'],
};

/** The statuses that an error of S3 can have. */
export const s3FaultStatuses: readonly number[] = Object.keys(shapes).map(Number);

/** An error of S3 as its SDKs would meet it. */
export function injectedS3Error({ status, message, retryAfterMs }: ErrorFault): S3Error {
  const [code, usualMessage] = shapes[status] ?? ['InternalError', 'We encountered an internal error.'];
  return new S3Error(status, code, message ?? usualMessage, {
    headers: retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
  });
}
