import { ArtError, joinSentences, signingAdvice, type ErrorCode } from '@art/ground';
import { StoreError, type ResultLocation } from '@art/store';
import { credentialFailures } from './service-failure/credential-failures.ts';
import { readServiceFailure, type S3ServiceFailure } from './service-failure/s3-service-failure.ts';

/** Permission that each operation of a store needs. */
const permissions = {
  put: 's3:PutObject',
  get: 's3:GetObject',
  exists: 's3:GetObject',
  list: 's3:ListBucket',
} as const;

export type S3Operation = keyof typeof permissions;

const busyFailures = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** True if a 403 is about the key and not about the caller. HEAD has no body to say, hence `Unknown`. */
export function isDeniedKey(failure: S3ServiceFailure): boolean {
  return failure.httpStatus === 403 && (failure.name === 'AccessDenied' || hasNoCode(failure));
}

/** True if S3's answer had no body, so that its code is not known. */
function hasNoCode(failure: S3ServiceFailure): boolean {
  return (
    failure.name === 'Unknown' ||
    failure.name === 'UnknownError' ||
    failure.name === 'NotFound' ||
    failure.name === '403'
  );
}

/** Turns whatever the SDK threw into a `StoreError` that says what to do. An error of the toolkit stays what it is. */
export function s3StoreError(operation: S3Operation, at: ResultLocation, error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  const failure = readServiceFailure(error);
  const { code, advice, retryable } = classify(operation, at, failure);
  const status = failure.httpStatus === undefined ? '' : ` (HTTP ${failure.httpStatus})`;
  const request = failure.requestId && `Request id ${failure.requestId}`;
  return new StoreError({
    code,
    operation,
    ...at,
    message: joinSentences(`${failure.name}${status}: ${failure.message}`, advice, request),
    retryable,
    cause: error,
  });
}

interface Diagnosis {
  code: ErrorCode;
  advice: string;
  retryable: boolean;
}

function classify(operation: S3Operation, at: ResultLocation, failure: S3ServiceFailure): Diagnosis {
  const { name, httpStatus } = failure;
  if (credentialFailures.has(name)) {
    return {
      code: 'ART_STORE_NO_CREDENTIALS',
      retryable: false,
      advice:
        'Give this process valid AWS credentials: a role, AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (with AWS_SESSION_TOKEN for temporary ones).',
    };
  }
  if (name === 'NoSuchBucket') {
    return {
      code: 'ART_STORE_NO_BUCKET',
      retryable: false,
      advice: 'Create the bucket, or check its name and the endpoint.',
    };
  }
  if (failure.bucketRegion !== undefined) {
    return {
      code: 'ART_STORE_FAILED',
      retryable: false,
      advice: `The bucket is in ${failure.bucketRegion}; make the client for that region, or let S3ResultStore make it.`,
    };
  }
  const signing = signingAdvice(name, failure.message);
  if (signing !== undefined) return { code: 'ART_STORE_DENIED', retryable: false, advice: signing };
  if (httpStatus === 401 || httpStatus === 403) {
    const kms = operation === 'list' ? '' : ' An encrypted bucket also needs rights on its KMS key.';
    return {
      code: 'ART_STORE_DENIED',
      retryable: false,
      advice: `Allow ${permissions[operation]} on ${operation === 'list' ? at.bucket : `${at.bucket}/*`} to the role of this process, and check that its keys belong to the right account.${kms}`,
    };
  }
  if (name === 'ConditionalRequestConflict') {
    return {
      code: 'ART_STORE_BUSY',
      retryable: true,
      advice: 'Other writers kept putting the same key at the same moment; try again.',
    };
  }
  if (busyFailures.has(name) || httpStatus === 503 || httpStatus === 429) {
    return {
      code: 'ART_STORE_BUSY',
      retryable: true,
      advice: `S3 refused ${failure.attempts} attempts. Send less at once, or raise maxAttempts; S3 scales up within minutes.`,
    };
  }
  // The SDK's own words: it asks its configuration at the first call.
  if (httpStatus === undefined && failure.message === 'Region is missing') {
    return {
      code: 'ART_STORE_FAILED',
      retryable: false,
      advice: 'Set AWS_REGION, or pass `region`: no request can be signed without one.',
    };
  }
  if (httpStatus === undefined) {
    return {
      code: 'ART_STORE_FAILED',
      retryable: true,
      advice:
        'No answer came from S3: check the network, the region (AWS_REGION) and the endpoint (AWS_ENDPOINT_URL_S3).',
    };
  }
  const unsupported = unsupportedAdvice(operation, failure);
  if (unsupported !== undefined) return { code: 'ART_STORE_FAILED', retryable: false, advice: unsupported };
  // What S3 finds wrong with a request it finds wrong again.
  const retryable = httpStatus >= 500 || httpStatus === 408;
  return { code: 'ART_STORE_FAILED', retryable, advice: `${failure.attempts} attempt(s) were made.` };
}

/** The remedy where another implementation of S3 does not know what the SDK of AWS sends. */
function unsupportedAdvice(
  operation: S3Operation,
  { name, httpStatus, message }: S3ServiceFailure,
): string | undefined {
  if (operation !== 'put' || httpStatus === undefined || (httpStatus !== 400 && httpStatus !== 501))
    return undefined;
  const text = `${name} ${message}`;
  if (/if-none-match|conditional|precondition/i.test(text))
    return 'This S3 does not take If-None-Match, by which the first result of a rollout wins: use a newer version of it, or another store.';
  if (/checksum|crc32|trailer|aws-chunked|content-?sha256|NotImplemented/i.test(text))
    return 'This S3 may not know the CRC32 checksums that newer SDKs send: set AWS_REQUEST_CHECKSUM_CALCULATION=when_required and AWS_RESPONSE_CHECKSUM_VALIDATION=when_required.';
  return undefined;
}
