import { ArtError } from '@art/ground';

/** The engine answered with something that is not a chat reply. */
export class WireReplyError extends ArtError {
  /** The HTTP status to answer with. */
  readonly status = 502;

  constructor(message: string, cause?: unknown) {
    super({ code: 'ART_ENGINE_BAD_REPLY', message, cause });
  }
}
