import { ArtError, describeThrown } from '@art/ground';
import { errnoOf } from '@art/store';

import { s3Error, S3Error } from '../wire/s3-error.ts';

/** Error to answer with for anything that was thrown. The endpoint is a local tool, so the reason is not kept back. */
export function toS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const code = errnoOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return s3Error('ServiceUnavailable', {
      message: `No space is left for objects (${code}).`,
      cause: error,
    });
  }
  // macOS takes paths of 1,024 bytes, the folder of the objects included.
  if (code === 'ENAMETOOLONG') {
    const message = 'Your key is too long for a path of this file system.';
    return s3Error('KeyTooLongError', { message, cause: error });
  }
  const message = describeThrown(error).message;
  const isInput =
    ArtError.isInstance(error) && ['ART_INVALID_RESULT_KEY', 'ART_INVALID_BUCKET'].includes(error.code);
  return isInput
    ? s3Error('InvalidArgument', { message, cause: error })
    : s3Error('InternalError', { message: `We encountered an internal error: ${message}`, cause: error });
}
