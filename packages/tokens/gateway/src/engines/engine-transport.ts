import { ArtError, shownUrl } from '@art/ground';

/** One request to an engine. */
export interface EngineRequest {
  method: string;
  /** The worker's base URL, without a path of the API: `http://host:port`. */
  baseUrl: string;
  /** The path behind it, with the query: `/v1/chat/completions`. */
  path: string;
  /** Names in lower case; hop-by-hop headers, `host` and `content-length` already left out. */
  headers: Readonly<Record<string, string | string[]>>;
  body: Uint8Array | undefined;
  /** Whose call it is: engines route by it. */
  sessionId: string | undefined;
  /** Longest context of the session, prompt and answer together; for transports that count before they ask. */
  maxContextTokens?: number | undefined;
  /** The answer where the prompt leaves no room; for transports that count before they ask. @default 'error' */
  whenFull?: 'error' | 'length' | undefined;
  /** Aborting it cancels the work in the engine. */
  signal: AbortSignal;
}

/** An engine's answer; the body arrives as it is produced. */
export interface EngineReply {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: AsyncIterable<Uint8Array>;
  /** Facts of the answer that its bytes do not hold; complete when the body has ended. */
  notes?: Readonly<ReplyNotes> | undefined;
}

/** Set by a transport that samples tokens itself. */
export interface ReplyNotes {
  /** The choices in which the model meant to call a tool and did not keep to its format, so that the call stayed text. */
  illFormedChoices: ReadonlySet<number>;
}

/** The way to the engines: HTTP, or an engine in this process, which answers as vLLM does. */
export interface EngineTransport {
  /** @throws EngineUnreachable where no status came */
  send(request: EngineRequest): Promise<EngineReply>;
  /** Closes the connections to a worker that was removed. */
  forget?(baseUrl: string): void;
  close(): Promise<void>;
}

/** Opens an engine in this process; the gateway closes it. */
export type OpenEngine = () => Promise<EngineTransport>;

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
      message: `No answer came from the worker ${shownUrl(init.baseUrl)}: ${reason}.`,
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
