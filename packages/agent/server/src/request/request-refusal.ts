import { ArtError, type ErrorCode } from '@art/ground';

/** A request that is answered with an error before anything was started. */
export class RequestRefusal extends ArtError {
  readonly statusCode: number;
  readonly body: { error: string; details?: unknown };

  /**
   * @param statusCode HTTP status of the answer. AgentCore turns every status outside 2xx into a 424 and drops the body.
   * @param error member `error` of the answer
   * @param more `details`: the member of the answer, where there is more to say
   */
  constructor(
    statusCode: number,
    code: ErrorCode,
    error: string,
    { details, cause }: { details?: unknown; cause?: unknown } = {},
  ) {
    const more = typeof details === 'string' ? details : JSON.stringify(details);
    super({ code, message: more === undefined ? error : `${error}: ${more}`, cause });
    this.statusCode = statusCode;
    this.body = details === undefined ? { error } : { error, details };
  }
}

/**
 * Runs a check of a request whose failure is the caller's fault and answered with 400.
 * @throws RequestRefusal 400
 */
export function asRefusal<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    throw new RequestRefusal(400, error.code, error.message, { cause: error });
  }
}
