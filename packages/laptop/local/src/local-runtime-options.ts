import type { Clock } from '@art/ground';
import type { S3EndpointOptions } from './s3/operations/s3-call.ts';
import type { ServiceLimitOptions } from './service/service-limits.ts';
import type { WebSocketLimitOptions } from './socket/frame-meter.ts';
import type { RuntimeFaults } from './session/runtime-faults.ts';

/** How one agent is run. */
export interface LocalAgentOptions {
  /**
   * Command of each session. Text goes to `/bin/sh -c`; a list is run as it is. The process has to listen on the port in the environment
   * variable `PORT` and to answer `GET /ping`.
   */
  command: string | readonly string[];
  /** @default the current directory */
  cwd?: string | undefined;
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>> | undefined;
  /**
   * The runtime's `protocolConfiguration.path`: where the agent gets its invocations. It finds the path in the environment variable
   * ART_INVOCATION_PATH. @default '/invocations'
   */
  invocationPath?: string | undefined;
  /**
   * The path of the runtime's lifecycle hook `warmup`. AgentCore calls it once, when the runtime is made, and copies the process; here each
   * process is called, before it has a session. A warm-up that fails is an agent that does not start. @default no hook
   */
  warmupPath?: string | undefined;
  /**
   * Request headers that reach the agent besides the default ones: AgentCore's `requestHeaderAllowlist`. At most 20;
   * `x-amz-*` and `x-amzn-*` only as `X-Amzn-Bedrock-AgentCore-Runtime-Custom-*`.
   * @default []
   */
  requestHeaderAllowlist?: readonly string[] | undefined;
}

/** Options of `startLocalRuntime`. */
export interface LocalRuntimeOptions {
  /** Agents by name: a letter, then up to 47 letters, digits, `_` and `-`. */
  agents: Readonly<Record<string, LocalAgentOptions>>;
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number | undefined;
  /** Region in the agents' ARNs. @default 'us-west-2' */
  region?: string | undefined;
  /** Account in the agents' ARNs. @default '123456789012' */
  accountId?: string | undefined;
  /** Where `{agent}/{sessionId}.log` goes; kept after `close()`. @default a new temporary folder, removed on `close()` */
  logDir?: string | undefined;
  /** Pause between two pings of a session. @default 2_000 */
  pingIntervalMs?: number | undefined;
  /** Longest time for the answer to a ping. @default 2_000 */
  pingTimeoutMs?: number | undefined;
  /** How long a session may be idle. @default 900_000 */
  idleTimeoutMs?: number | undefined;
  /** How long a session may live, however busy. @default 28_800_000 */
  maxLifetimeMs?: number | undefined;
  /**
   * Longest time to the first healthy ping. AgentCore: 120 s for containers and snapshots, 30 s for direct code
   * deployment. @default 120_000
   */
  initTimeoutMs?: number | undefined;
  /** From SIGTERM to SIGKILL. AgentCore: about 10 s on platform V2, about 60 s on V1. @default 10_000 */
  stopGraceMs?: number | undefined;
  /** Longest time for an answer. @default 900_000 */
  requestTimeoutMs?: number | undefined;
  /** Longest time for an answer that is an event stream. @default 3_600_000 */
  streamTimeoutMs?: number | undefined;
  /** Healthy processes that are kept ready for each agent. @default 0 */
  warmPoolSize?: number | undefined;
  /**
   * How AgentCore would start sessions. `V2` plays that each is restored from one snapshot of the process, at its first request: equal random
   * numbers, dead connections, a wall clock that has moved. A process then has at most 120 s to its first healthy ping. @default 'V1'
   */
  platformVersion?: 'V1' | 'V2' | undefined;
  /** How many processes may start at the same time. @default the number of processors */
  maxConcurrentStarts?: number | undefined;
  /**
   * True if `HealthyBusy` counts only with an integer `time_of_last_update`, as measured on AgentCore. `false` follows its documentation,
   * where the field is optional. @default true
   */
  strictPing?: boolean | undefined;
  /** Shortest time that a session without a warm process takes to start. @default 0 */
  coldStartDelayMs?: number | undefined;
  /** Quotas of the real service to impose. @default none */
  limits?: ServiceLimitOptions | undefined;
  /** Limits of a session's WebSocket (`GET /runtimes/{arn}/ws`). @default those that AgentCore is known to have */
  webSocket?: WebSocketLimitOptions | undefined;
  /**
   * The S3 endpoint on the same port, for every path that the data plane does not take; `false` leaves it out. Sessions
   * find it in `AWS_ENDPOINT_URL_S3`, unless the `env` of their agent names an endpoint; the default one also gives way to an endpoint
   * that the environment of this process names. Its buckets are those of `buckets` and those that somebody creates.
   * @default an endpoint that keeps objects in memory
   */
  s3?: S3EndpointOptions | false | undefined;
  /**
   * Pings in a row without an answer after which a session counts as unhealthy and is ended. AgentCore ends such sessions
   * too and does not say after how many. @default 15
   */
  maxFailedPings?: number | undefined;
  /**
   * True if `InvokeAgentRuntimeCommand` is served: anyone who reaches the port could run programs as this user, without credentials. @default
   * false
   */
  allowCommands?: boolean | undefined;
  /** Faults that happen on purpose: a `FaultInjection` of `@art/local/faults`. @default nothing */
  faults?: RuntimeFaults | undefined;
  /** How many entries `endpointLog()` keeps; older ones are forgotten. @default 20_000 */
  endpointLogEntries?: number | undefined;
  /** Time for idle times, lifetimes and rates. @default the monotonic clock */
  clock?: Pick<Clock, 'nowMs'> | undefined;
}
