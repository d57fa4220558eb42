import { ArtError } from '@art/ground';

/** What a {@link WireRequestError} is made of. */
export interface WireRequestErrorInit {
  /** What was expected, what came, what to do. */
  message: string;
  /** The field of the request that is at fault, as a path: `tools[2].type`. */
  param?: string | undefined;
  cause?: unknown;
}

/** A request that cannot be put on the engine's wire without changing what it means. Nothing was sent. */
export class WireRequestError extends ArtError {
  /** The HTTP status to answer with. */
  readonly status = 400;
  readonly param: string | undefined;

  constructor(init: WireRequestErrorInit) {
    super({ code: 'ART_GATEWAY_BAD_REQUEST', message: init.message, cause: init.cause });
    this.param = init.param;
  }
}
