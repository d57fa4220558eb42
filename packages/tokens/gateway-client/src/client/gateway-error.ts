import { ArtError, type ErrorCode } from '@art/ground';

export interface GatewayErrorInit {
  code: ErrorCode;
  message: string;
  /** `GET /sessions/s`. */
  call: string;
  /** Undefined where no answer came. */
  status?: number | undefined;
  cause?: unknown;
}

/** A call of the gateway failed. */
export class GatewayError extends ArtError {
  readonly call: string;
  readonly status: number | undefined;

  constructor(init: GatewayErrorInit) {
    super({ code: init.code, message: `${init.call}: ${init.message}`, cause: init.cause });
    this.call = init.call;
    this.status = init.status;
  }

  static override isInstance(value: unknown): value is GatewayError {
    return ArtError.isInstance(value) && 'call' in value && 'status' in value;
  }
}

/** Result of a call; undefined where the gateway does not know the object of the call. */
export async function unlessNotFound<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (GatewayError.isInstance(error) && error.code === 'ART_GATEWAY_NOT_FOUND') return undefined;
    throw error;
  }
}
