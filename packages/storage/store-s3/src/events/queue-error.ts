import { ArtError, joinSentences, type ErrorCode } from '@art/ground';
import { credentialFailures } from '../service-failure/credential-failures.ts';
import { readServiceFailure, type S3ServiceFailure } from '../service-failure/s3-service-failure.ts';

/** Turns what the SDK threw about a queue into an error that says what to do. */
export function queueError(operation: 'receive' | 'delete', queueUrl: string, error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  const failure = readServiceFailure(error);
  const { code, advice } = classify(operation, failure);
  const status = failure.httpStatus === undefined ? '' : ` (HTTP ${failure.httpStatus})`;
  return new ArtError({
    code,
    message: joinSentences(
      `SQS ${operation} at ${queueUrl} failed: ${failure.name}${status}: ${failure.message}`,
      advice,
    ),
    cause: error,
  });
}

function classify(
  operation: 'receive' | 'delete',
  { name, httpStatus }: S3ServiceFailure,
): { code: ErrorCode; advice: string } {
  if (credentialFailures.has(name) || name === 'InvalidClientTokenId') {
    return {
      code: 'ART_STORE_NO_CREDENTIALS',
      advice:
        'Give this process valid AWS credentials: a role, AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    };
  }
  if (name === 'QueueDoesNotExist' || name === 'AWS.SimpleQueueService.NonExistentQueue') {
    return {
      code: 'ART_STORE_NO_QUEUE',
      advice: 'Create the queue, or check the account, name and region in queueUrl.',
    };
  }
  if (name.startsWith('Kms') && name !== 'KmsThrottled') {
    return {
      code: 'ART_STORE_DENIED',
      advice: 'The queue is encrypted: allow kms:Decrypt on its key, and check that the key is enabled.',
    };
  }
  if (
    httpStatus === 401 ||
    httpStatus === 403 ||
    name === 'AccessDenied' ||
    name === 'AccessDeniedException'
  ) {
    return {
      code: 'ART_STORE_DENIED',
      advice: `Allow sqs:${operation === 'receive' ? 'ReceiveMessage' : 'DeleteMessage'} on the queue to the role of this process.`,
    };
  }
  if (
    name === 'OverLimit' ||
    /Throttl|RequestLimitExceeded/.test(name) ||
    httpStatus === 429 ||
    httpStatus === 503
  ) {
    return { code: 'ART_STORE_BUSY', advice: 'It is tried again, less often.' };
  }
  return {
    code: 'ART_STORE_FAILED',
    advice:
      httpStatus === undefined
        ? 'No answer came: check the network, the host in queueUrl, and AWS_REGION where the host names no region.'
        : 'It is tried again.',
  };
}
