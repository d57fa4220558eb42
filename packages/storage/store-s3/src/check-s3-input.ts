import { ArtError, checkBucketName } from '@art/ground';
import { checkListRange, checkLocation, refuseCall, type ListRange, type ResultLocation } from '@art/store';

/**
 * Refuses an address that S3 would refuse, before anything is sent.
 * @throws StoreError `ART_INVALID_BUCKET`, `ART_INVALID_RESULT_KEY`
 */
export function checkS3Location(operation: string, at: ResultLocation): void {
  checkLocation(operation, at);
  checkBucket(operation, at);
}

/** @throws StoreError `ART_INVALID_BUCKET`, `ART_INVALID_RESULT_KEY`; ArtError `ART_INVALID_OPTION` for the limit */
export function checkS3ListRange(range: ListRange): { limit: number } {
  const checked = checkListRange(range);
  checkBucket('list', { bucket: range.bucket, key: range.prefix });
  return checked;
}

function checkBucket(operation: string, at: ResultLocation): void {
  try {
    checkBucketName(at.bucket);
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    refuseCall(error.code, operation, at, error.message);
  }
}
