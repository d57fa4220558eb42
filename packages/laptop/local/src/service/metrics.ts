import type { EndpointEvent, SessionEndReason } from './endpoint-log.ts';
import { BoundedMap } from './bounded-map.ts';
import type { FaultType } from './service-fault.ts';

/** Requests of callers for one session id, whether or not they were let through. */
export interface SessionAttempts {
  agent: string;
  sessionId: string;
  /** InvokeAgentRuntime requests that arrived. */
  invocations: number;
  /** Requests that were passed on to the agent. */
  delivered: number;
  /** Requests that the agent answered with 2xx. */
  accepted: number;
  /** Highest `attempt` in the `amz-sdk-request` header; more than 1 means that an SDK retried on its own. */
  highestSdkAttempt: number;
  stops: number;
}

/** Figures of WebSockets. */
export interface SocketMetrics {
  /** Sockets that are open now. */
  open: number;
  opened: number;
  /** Sockets that broke a limit. */
  dropped: number;
  /** Figures of the sockets that are closed: the largest frame, and the most in any second in one direction. */
  largestFrameBytes: number;
  mostFramesPerSecond: number;
}

/** A snapshot; `GET /_art/metrics` answers the same as JSON. */
export interface LocalMetrics {
  /** Sessions that hold a process now, those that are starting or stopping included. */
  liveSessions: number;
  peakLiveSessions: number;
  startedSessions: number;
  endedSessions: Record<SessionEndReason, number>;
  /**
   * Sessions whose caller forgot them: a reaper had to end them. On AgentCore each one held a place and cost money until
   * then.
   */
  leakedSessions: number;
  /** Healthy processes in the warm pools. */
  warmProcesses: number;
  /** Error answers by type. */
  faults: Partial<Record<FaultType, number>>;
  sockets: SocketMetrics;
  /** The last 10,000 session ids. */
  attempts: SessionAttempts[];
}

const rememberedSessions = 10_000;

/** Counts what the endpoint's log is told. */
export class MetricsRecorder {
  readonly #attempts = new BoundedMap<string, SessionAttempts>(rememberedSessions);
  readonly #faults: Partial<Record<FaultType, number>> = {};
  readonly #ended: Record<SessionEndReason, number> = {
    stopped: 0,
    idle: 0,
    max_lifetime: 0,
    unhealthy: 0,
    exited: 0,
    start_failed: 0,
    closed: 0,
  };
  readonly #sockets: SocketMetrics = {
    open: 0,
    opened: 0,
    dropped: 0,
    largestFrameBytes: 0,
    mostFramesPerSecond: 0,
  };
  readonly #warmProcesses: () => number;
  #live = 0;
  #peak = 0;
  #started = 0;

  constructor(warmProcesses: () => number) {
    this.#warmProcesses = warmProcesses;
  }

  /** An error was answered. */
  faulted(type: FaultType): void {
    this.#faults[type] = (this.#faults[type] ?? 0) + 1;
  }

  count(event: EndpointEvent): void {
    switch (event.kind) {
      case 'session_started':
        this.#started += 1;
        this.#live += 1;
        this.#peak = Math.max(this.#peak, this.#live);
        return;
      case 'session_ended':
        this.#live -= 1;
        this.#ended[event.reason] += 1;
        return;
      case 'invoked': {
        const attempts = this.#attemptsOf(event);
        attempts.invocations += 1;
        attempts.highestSdkAttempt = Math.max(attempts.highestSdkAttempt, event.sdkAttempt);
        return;
      }
      case 'delivered':
      case 'accepted':
        if (event.copy !== true) this.#attemptsOf(event)[event.kind] += 1;
        return;
      case 'stop':
        this.#attemptsOf(event).stops += 1;
        return;
      case 'socket_opened':
        this.#sockets.opened += 1;
        this.#sockets.open += 1;
        return;
      case 'socket_closed':
        this.#socketClosed(event);
        return;
      default:
    }
  }

  #socketClosed(event: Extract<EndpointEvent, { kind: 'socket_closed' }>): void {
    const sockets = this.#sockets;
    sockets.open -= 1;
    if (event.reason === 'frame_size' || event.reason === 'frame_rate') sockets.dropped += 1;
    sockets.largestFrameBytes = Math.max(sockets.largestFrameBytes, event.largestFrameBytes);
    sockets.mostFramesPerSecond = Math.max(sockets.mostFramesPerSecond, event.mostFramesPerSecond);
  }

  snapshot(): LocalMetrics {
    return {
      liveSessions: this.#live,
      peakLiveSessions: this.#peak,
      startedSessions: this.#started,
      endedSessions: { ...this.#ended },
      leakedSessions: this.#ended.idle + this.#ended.max_lifetime,
      warmProcesses: this.#warmProcesses(),
      faults: { ...this.#faults },
      sockets: { ...this.#sockets },
      attempts: [...this.#attempts.values()].map((attempts) => ({ ...attempts })),
    };
  }

  #attemptsOf({ agent, sessionId }: { agent: string; sessionId: string }): SessionAttempts {
    const key = `${agent} ${sessionId}`;
    const known = this.#attempts.get(key);
    if (known !== undefined) return known;
    const none = { invocations: 0, delivered: 0, accepted: 0, highestSdkAttempt: 0, stops: 0 };
    const attempts: SessionAttempts = { agent, sessionId, ...none };
    this.#attempts.set(key, attempts);
    return attempts;
  }
}
