/** A gateway that is running. */
export interface Gateway extends AsyncDisposable {
  /** `http://host:port`; `{url}/v1` is what an OpenAI client wants as its base URL, `{url}` an Anthropic one. */
  readonly url: string;
  readonly port: number;
  /**
   * Refuses new calls, waits for those under way (`shutdownGraceMs`, then they are broken off), and closes what the gateway
   * opened itself. Idempotent.
   */
  close(): Promise<void>;
}
