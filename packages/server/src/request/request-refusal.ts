import { ArtError, type ErrorCode, isJsonObject } from '@art/protocol';

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
 * Runs a check of a rollout request whose failure is the caller's fault and answered with 400. An incomplete config alone
 * passes as it is and is answered with 500, as by the Python app, whose tests and callers look for that.
 * @throws RequestRefusal 400
 */
export function asRefusal<T>(check: () => T, payload: Record<string, unknown>): T {
  try {
    return check();
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    if (error.code === 'ART_INVALID_ROLLOUT_CONFIG' && isIncomplete(payload['_rollout'])) throw error;
    throw new RequestRefusal(400, error.code, error.message, { cause: error });
  }
}

function isIncomplete(config: unknown): boolean {
  if (!isJsonObject(config)) return false;
  const given = ['exp_id', 'input_id', 's3_bucket'].filter((field) => field in config).length;
  return given > 0 && given < 3;
}
