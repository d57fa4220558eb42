import { ArtError, type ArtErrorInit } from '@art/ground';
import type { errorCodes } from '../error-codes.ts';

/** The codes a {@link RuntimeError} can carry. */
export type RuntimeErrorCode = Extract<
  keyof typeof errorCodes,
  `ART_RUNTIME_${string}` | 'ART_CONTAINER_ERROR'
>;

/**
 * Delivery to the agent's container. The possible retries depend on it alone.
 * - `never`: certainly not delivered (429, 402, 409, refused, no session, no connection): send again freely.
 * - `unknown`: it may have been (5xx, reset, time-out): look in the store first.
 * - `delivered`: the container got it and failed (424).
 */
export type Delivery = 'never' | 'unknown' | 'delivered';

export interface RuntimeErrorInit extends ArtErrorInit {
  code: RuntimeErrorCode;
  delivery: Delivery;
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
}

/** A call to the runtime failed. Thrown by every implementation of `AgentRuntime`. */
export class RuntimeError extends ArtError {
  declare readonly code: RuntimeErrorCode;
  readonly delivery: Delivery;
  readonly httpStatus: number | undefined;
  /** How long the service asked to wait, where it did. */
  readonly retryAfterMs: number | undefined;
  /** The service's request id, for support cases. */
  readonly requestId: string | undefined;

  constructor(init: RuntimeErrorInit) {
    super(init);
    this.delivery = init.delivery;
    this.httpStatus = init.httpStatus;
    this.retryAfterMs = init.retryAfterMs;
    this.requestId = init.requestId;
  }

  static override isInstance(value: unknown): value is RuntimeError {
    return ArtError.isInstance(value) && 'delivery' in value;
  }
}
