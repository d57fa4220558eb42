import type { PingObservation } from '../process/ping-agent.ts';

/** The durations that rule a session's life; `LocalRuntimeOptions` says what each means. */
export interface SessionTiming {
  pingIntervalMs: number;
  pingTimeoutMs: number;
  idleTimeoutMs: number;
  maxLifetimeMs: number;
  stopGraceMs: number;
  coldStartDelayMs: number;
  strictPing: boolean;
  maxFailedPings: number;
}

// An agent that is not blocked answers within milliseconds; a machine with much to do takes longer.
const worthTellingMs = 1_000;

/** Activity of a session by its requests and pings: since when it has had nothing to do, and whether it has to go. */
export class SessionActivity {
  /** Requests so far, and those in flight. */
  requests = 0;
  activeRequests = 0;
  /** Pings so far, answered or not. */
  pings = 0;
  /** True if the last ping counted as busy. */
  busy = false;
  /** How long the agent has kept its pings waiting, for example because a handler blocks its event loop. */
  pingWaitMs: number | undefined;
  readonly #timing: SessionTiming;
  readonly #startedAtMs: number;
  #idleSinceMs: number;
  #lastStamp: unknown;
  #failedPings = 0;
  #waitingSinceMs: number | undefined;

  constructor(timing: SessionTiming, nowMs: number) {
    this.#timing = timing;
    this.#startedAtMs = nowMs;
    this.#idleSinceMs = nowMs;
  }

  requestBegan(): void {
    this.requests += 1;
    this.activeRequests += 1;
  }

  requestEnded(nowMs: number): void {
    this.activeRequests -= 1;
    this.#idleSinceMs = nowMs;
  }

  /** A frame of a socket; whether an open socket without frames keeps a session is not known of the service, and does not here. */
  touched(nowMs: number): void {
    this.#idleSinceMs = nowMs;
  }

  /**
   * Takes a ping into account, `nowMs` being when its answer came or did not.
   * @returns how long the wait was that it ends; undefined where there was none
   */
  pinged(ping: PingObservation, sentAtMs: number, nowMs: number): number | undefined {
    this.pings += 1;
    this.#failedPings = ping.kind === 'failed' ? this.#failedPings + 1 : 0;
    const wasBusy = this.busy;
    this.busy = keepsBusy(ping, this.#timing.strictPing);
    if (wasBusy || this.#isStampedAnew(ping)) this.#idleSinceMs = nowMs;
    return this.#noteWait(ping.kind === 'answered', sentAtMs, nowMs);
  }

  /**
   * Why the session has to go; undefined while it may stay. Being busy holds off the idle timeout, never the maximum lifetime.
   * Source: AgentCore developer guide, lifecycle settings and long-running agents; sessions, for the health check, of which
   * it tells no number.
   */
  endReason(nowMs: number): 'idle' | 'max_lifetime' | 'unhealthy' | undefined {
    const { maxLifetimeMs, maxFailedPings, idleTimeoutMs } = this.#timing;
    if (nowMs - this.#startedAtMs >= maxLifetimeMs) return 'max_lifetime';
    if (this.#failedPings >= maxFailedPings) return 'unhealthy';
    const isIdle = this.activeRequests === 0 && !this.busy;
    return isIdle && nowMs - this.#idleSinceMs >= idleTimeoutMs ? 'idle' : undefined;
  }

  /** A `time_of_last_update` that moved is activity, as for the service: an agent that stamps every ping anew is never idle. */
  #isStampedAnew(ping: PingObservation): boolean {
    if (ping.kind !== 'answered' || !Number.isInteger(ping.stamp)) return false;
    const last = this.#lastStamp;
    this.#lastStamp = ping.stamp;
    return last !== undefined && last !== ping.stamp;
  }

  /** A ping that failed at once says nothing: nobody listens, or it was lost on purpose. */
  #noteWait(isAnswered: boolean, sentAtMs: number, nowMs: number): number | undefined {
    if (nowMs - sentAtMs >= worthTellingMs) this.#waitingSinceMs ??= sentAtMs;
    if (this.#waitingSinceMs === undefined) return undefined;
    const waitedMs = nowMs - this.#waitingSinceMs;
    this.pingWaitMs = isAnswered ? undefined : waitedMs;
    if (!isAnswered) return undefined;
    this.#waitingSinceMs = undefined;
    return waitedMs;
  }
}

/**
 * True if a ping keeps its session from being reclaimed. The documentation lets an agent omit `time_of_last_update`; the service was
 * measured to ignore `HealthyBusy` without an integer there, which is what `strict` reproduces.
 */
function keepsBusy(ping: PingObservation, strict: boolean): boolean {
  return ping.kind === 'answered' && ping.busy && (!strict || Number.isInteger(ping.stamp));
}
