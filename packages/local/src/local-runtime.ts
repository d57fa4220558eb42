import type { AgentRuntime } from '@art/protocol';
import type { EndpointLogEntry } from './service/endpoint-log.ts';
import type { LocalMetrics } from './service/metrics.ts';
import type { LocalSessionInfo } from './session/session-info.ts';

/** A running local AgentCore. */
export interface LocalRuntime extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, for `AWS_ENDPOINT_URL` or an SDK's `endpoint`. */
  readonly endpoint: string;
  /** Where the sessions' logs are. */
  readonly logDir: string;
  /**
   * The ARN of an agent.
   * @throws ArtError `ART_INVALID_OPTION` for a name that was not in `agents`.
   */
  arnOf(agent: string): string;
  /**
   * An agent behind the `AgentRuntime` port, over plain HTTP: what `RolloutClient` takes.
   * @throws ArtError `ART_INVALID_OPTION` for a name that was not in `agents`.
   */
  runtime(agent: string): AgentRuntime;
  /** Live sessions, then the last 1,000 that ended. */
  sessions(): readonly LocalSessionInfo[];
  metrics(): LocalMetrics;
  /**
   * What happened at the endpoint, oldest first: deliveries, answers, stops, sessions, writes. Numbers are without gaps, so
   * a first entry above `afterSeq + 1` means that some were forgotten (`endpointLogEntries`).
   */
  endpointLog(afterSeq?: number): readonly EndpointLogEntry[];
  /**
   * Ends every session and every warm process; later requests run the agents' programs as they are then. Requests that
   * arrive meanwhile get fresh processes. Resolves when the old ones are gone.
   * @returns how many sessions it ended
   */
  restart(): Promise<number>;
  /** SIGTERM to every session, SIGKILL after the grace; resolves when nothing is left and the port is free. Idempotent. */
  close(): Promise<void>;
}
