import { ArtError } from '@art/ground';

/** The parts of a {@link WireRequestError}. */
export interface WireRequestErrorInit {
  /** The expected value, the given one, and the remedy. */
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
