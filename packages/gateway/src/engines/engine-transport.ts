/** One request to an engine. */
export interface EngineRequest {
  method: string;
  /** The worker's base URL, without a path of the API: `http://host:port`. */
  baseUrl: string;
  /** What follows it, with the query: `/v1/chat/completions`. */
  path: string;
  /** Names in lower case; hop-by-hop headers, `host` and `content-length` already left out. */
  headers: Readonly<Record<string, string | string[]>>;
  body: Uint8Array | undefined;
  /** Whose call it is; some transports keep state for a session, and engines route by it. */
  sessionId: string | undefined;
  /** Longest context of the session, prompt and answer together; for transports that count before they ask. */
  maxContextTokens?: number | undefined;
  /** Aborting it cancels the work in the engine. */
  signal: AbortSignal;
}

/** An engine's answer; the body arrives as it is produced. */
export interface EngineReply {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: AsyncIterable<Uint8Array>;
}

/**
 * The way to an engine: HTTP, or one that speaks tokens with the engine and answers here in vLLM's chat shape, ids and
 * logprobs included, so that the capture knows one shape only.
 */
export interface EngineTransport {
  /** @throws EngineUnreachable where no status came */
  send(request: EngineRequest): Promise<EngineReply>;
  close(): Promise<void>;
}
