import { ArtError, type ErrorCode } from '@art/protocol';

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
