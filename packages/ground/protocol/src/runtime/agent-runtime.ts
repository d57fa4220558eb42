import type { SessionSocket } from './session-socket.ts';

/** Options that everything that waits accepts. */
export interface CallOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface SocketOptions extends CallOptions {
  /** Goes into the query of the handshake. Whether it reaches the agent is the runtime's to decide. */
  query?: Readonly<Record<string, string>> | undefined;
}

/** One invocation of an agent in a session. */
export interface InvokeRequest {
  /** Names the machine: the same id reaches the same session. 33 to 256 characters on AgentCore. */
  sessionId: string;
  /** The request body, JSON text, passed on byte for byte. At most 100,000,000 bytes on AgentCore. */
  body: string;
}

export interface InvocationOptions extends CallOptions {
  /**
   * Called by runtimes that tell (`tellsLeaving`), at the latest when the first byte of the request may leave this process,
   * and again for each time that it is sent. Must not throw.
   */
  onLeaving?: (() => void) | undefined;
  /**
   * Called by runtimes that send again by themselves, when a send was certainly refused before it reached anybody: until the next
   * `onLeaving` nothing is on its way. Must not throw.
   */
  onRefused?: (() => void) | undefined;
}

/** Answer of the agent's container, not yet interpreted; see `parseInvocationReply`. */
export interface InvocationAnswer {
  /** The response body as text. */
  body: string;
  /** The session that answered, as the runtime reports it. */
  sessionId?: string | undefined;
  /** The runtime's request id, for logs and support cases. */
  requestId?: string | undefined;
  /** Where this session can be called directly; only of runtimes with `allowedPorts`. */
  sessionEndpointUrl?: string | undefined;
}

/** `stopped`: the runtime took the stop. `not_found`: the session had already ended, or never was. */
export type StopOutcome = { kind: 'stopped' } | { kind: 'not_found' };

/**
 * Runs agents: AgentCore in production, the local runtime in development, a fake in tests. Failures are thrown as
 * `RuntimeError`; anything else that an implementation throws counts as a bug in it.
 */
export interface AgentRuntime {
  /**
   * True if `invoke` calls `onLeaving`. Then an invocation that failed or was aborted before that call has certainly
   * reached no agent. @default false, which says nothing of any failure
   */
  readonly tellsLeaving?: boolean | undefined;
  /** True if sessions run on this machine, where calls to them cost nothing. @default false */
  readonly isLocal?: boolean | undefined;
  /**
   * Looks for what would make every call fail, such as a region that is nowhere configured; asked once before the first
   * rollout, and sends nothing.
   * @throws ArtError that says what to do
   */
  check?(options?: CallOptions): Promise<void>;
  /** Resolves when the agent has answered. Starts the session where there is none. */
  invoke(request: InvokeRequest, options?: InvocationOptions): Promise<InvocationAnswer>;
  /** Ends a session. Idempotent. */
  stop(sessionId: string, options?: CallOptions): Promise<StopOutcome>;
  /**
   * Opens the WebSocket of a session, its `/ws`. Starts the session where there is none. Messages come from the next turn of the
   * event loop on. @default there are no sockets
   */
  readonly openSocket?: ((sessionId: string, options?: SocketOptions) => Promise<SessionSocket>) | undefined;
  /** Lets go of connections, timers and shared budgets. Sessions continue. Idempotent. */
  close?(): Promise<void> | void;
}
