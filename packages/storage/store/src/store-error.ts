import { ArtError, type ErrorCode } from '@art/ground';

export interface StoreErrorInit {
  /** @default 'ART_STORE_FAILED' */
  code?: ErrorCode;
  /** The method of the store, `put`. */
  operation: string;
  bucket: string;
  /** The key, or the prefix of a `list` or `watch`. */
  key: string;
  /** The fault and its remedy. */
  message: string;
  /** True if the same call may succeed later, without any change. The driver decides. @default true */
  retryable?: boolean;
  cause?: unknown;
}

/** A store could not do what it was asked. */
export class StoreError extends ArtError {
  readonly operation: string;
  readonly bucket: string;
  readonly key: string;
  /** True if the same call may succeed later, without any change: false for a bucket that does not exist. */
  readonly retryable: boolean;

  constructor(init: StoreErrorInit) {
    super({
      code: init.code ?? 'ART_STORE_FAILED',
      message: `Store ${init.operation} of ${JSON.stringify(init.key)} in bucket ${JSON.stringify(init.bucket)} failed: ${init.message}`,
      cause: init.cause,
    });
    this.operation = init.operation;
    this.bucket = init.bucket;
    this.key = init.key;
    this.retryable = init.retryable ?? true;
  }

  static override isInstance(value: unknown): value is StoreError {
    return ArtError.isInstance(value) && 'operation' in value && 'bucket' in value;
  }
}

/**
 * Refuses a call that no store could do, before anything is sent or written.
 * @throws StoreError, always
 */
export function refuseCall(
  code: ErrorCode,
  operation: string,
  { bucket, key }: Pick<StoreErrorInit, 'bucket' | 'key'>,
  message: string,
): never {
  throw new StoreError({ code, operation, bucket, key, message, retryable: false });
}
