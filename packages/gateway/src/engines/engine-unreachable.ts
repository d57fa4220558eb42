import { ArtError } from '@art/protocol';

/** How far a call to an engine had come when it failed without a status. */
export type EngineFailure =
  /** No connection came about: nothing was delivered, any other worker may be asked. */
  | 'not_connected'
  /** The connection broke before a status came: the engine may have worked on it, and nothing of that reached us. */
  | 'broken'
  /** The caller's signal was aborted. */
  | 'aborted';

/** An engine gave no status. */
export class EngineUnreachable extends ArtError {
  readonly failure: EngineFailure;
  /** The worker's base URL. */
  readonly baseUrl: string;

  constructor(init: { baseUrl: string; failure: EngineFailure; cause: unknown }) {
    const reason = init.cause instanceof Error ? describeCause(init.cause) : String(init.cause);
    super({
      code: 'ART_ENGINE_UNREACHABLE',
      message: `No answer came from the worker ${init.baseUrl}: ${reason}.`,
      cause: init.cause,
    });
    this.failure = init.failure;
    this.baseUrl = init.baseUrl;
  }
}

// Node puts the addresses that it tried into an AggregateError whose own message is empty.
function describeCause(cause: Error): string {
  if (cause.message !== '') return cause.message;
  const code = (cause as { code?: unknown }).code;
  return typeof code === 'string' ? code : cause.name;
}
