/** Facts of a failed SDK call, read without relying on classes: the client may come from another copy of the SDK. */
export interface S3ServiceFailure {
  /** The error code of S3, `NoSuchKey`; the SDK's `Unknown` for answers without a body, as HEAD has them. */
  name: string;
  message: string;
  /** Undefined when no answer came. */
  httpStatus: number | undefined;
  /** How often the SDK had sent the request when it gave up. */
  attempts: number;
  requestId: string | undefined;
  /** The region of the bucket, where S3 says that it is another one. */
  bucketRegion: string | undefined;
}

interface SdkError {
  name?: unknown;
  message?: unknown;
  Region?: unknown;
  $metadata?: { httpStatusCode?: number; attempts?: number; requestId?: string };
  $response?: { headers?: Record<string, string> };
}

export function readServiceFailure(error: unknown): S3ServiceFailure {
  const { name, message, Region, $metadata, $response } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as SdkError;
  const httpStatus = $metadata?.httpStatusCode;
  const region = $response?.headers?.['x-amz-bucket-region'] ?? Region;
  return {
    name: typeof name === 'string' ? name : 'Unknown',
    message: typeof message === 'string' ? message : String(error),
    httpStatus,
    attempts: $metadata?.attempts ?? 1,
    requestId: $metadata?.requestId,
    // S3 also names the region in answers that are no redirects.
    bucketRegion:
      typeof region === 'string' && (httpStatus === 301 || httpStatus === 307 || httpStatus === 400)
        ? region
        : undefined,
  };
}
