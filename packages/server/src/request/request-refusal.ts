import { ArtError, type ErrorCode, isJsonObject } from '@art/protocol';

export interface RequestRefusalInit {
  code: ErrorCode;
  /** HTTP status of the answer. AgentCore turns every status outside 2xx into a 424 and drops the body. */
  statusCode: number;
  /** Member `error` of the answer. */
  error: string;
  /** Member `details` of the answer, where there is more to say. */
  details?: unknown;
  cause?: unknown;
}

/** A request that is answered with an error before anything was started. */
export class RequestRefusal extends ArtError {
  readonly statusCode: number;
  readonly body: { error: string; details?: unknown };

  constructor(init: RequestRefusalInit) {
    const details = typeof init.details === 'string' ? init.details : JSON.stringify(init.details);
    super({
      code: init.code,
      message: details === undefined ? init.error : `${init.error}: ${details}`,
      cause: init.cause,
    });
    this.statusCode = init.statusCode;
    this.body =
      init.details === undefined ? { error: init.error } : { error: init.error, details: init.details };
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
    throw new RequestRefusal({ code: error.code, statusCode: 400, error: error.message, cause: error });
  }
}

function isIncomplete(config: unknown): boolean {
  if (!isJsonObject(config)) return false;
  const given = ['exp_id', 'input_id', 's3_bucket'].filter((field) => field in config).length;
  return given > 0 && given < 3;
}
