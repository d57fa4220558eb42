import type { SessionEndReason } from '../service/endpoint-log.ts';
import type { SessionState } from './session-state.ts';

/** Answer of a container that its caller never got to see. */
export interface ContainerError {
  httpStatus: number;
  /** The first 16 KiB of the body, which the service discards. */
  body: string;
}

/** One session as `sessions()` and `GET /_art/sessions` show it. */
export interface LocalSessionInfo {
  agent: string;
  sessionId: string;
  state: SessionState['kind'];
  /** Why it is ending or has ended. */
  endReason?: SessionEndReason | undefined;
  /** Why it never became healthy, with the last lines of its output. */
  startFailure?: string | undefined;
  /** How its process ended: "exited with code 1". */
  exit?: string | undefined;
  pid?: number | undefined;
  port?: number | undefined;
  /** Where its process writes stdout and stderr; undefined until there is a process. */
  logFile?: string | undefined;
  /** Wall time of the request that created it. */
  createdAt: string;
  /** From that request to a healthy process, the wait for a free place included. */
  startMs?: number | undefined;
  /** True if it took a process from the warm pool. */
  warm?: boolean | undefined;
  /** Requests passed on to the agent. */
  requests: number;
  activeRequests: number;
  /** Pings answered or failed so far. */
  pings: number;
  /** True if the last ping counts as busy. */
  busy: boolean;
  lastContainerError?: ContainerError | undefined;
}
