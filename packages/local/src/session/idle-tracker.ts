import type { PingObservation } from '../process/ping-agent.ts';

/** Remembers since when a session has had nothing to do, from its requests and its pings. */
export class IdleTracker {
  readonly #strictPing: boolean;
  #active = 0;
  #idleSinceMs: number;
  #busy = false;
  #lastStamp: unknown;

  constructor(nowMs: number, strictPing: boolean) {
    this.#idleSinceMs = nowMs;
    this.#strictPing = strictPing;
  }

  /** Requests in flight. */
  get activeRequests(): number {
    return this.#active;
  }

  /** Whether the last ping counted as busy. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Since when the session is idle; undefined while it is not. */
  get idleSinceMs(): number | undefined {
    return this.#active > 0 || this.#busy ? undefined : this.#idleSinceMs;
  }

  requestBegan(): void {
    this.#active += 1;
  }

  requestEnded(nowMs: number): void {
    this.#active -= 1;
    this.#idleSinceMs = nowMs;
  }

  /**
   * Takes a ping into account. A `time_of_last_update` that moved counts as activity, as it does for the service: an agent
   * that stamps every ping anew is never idle.
   */
  pinged(observation: PingObservation, nowMs: number): void {
    const wasBusy = this.#busy;
    this.#busy = keepsBusy(observation, this.#strictPing);
    if (wasBusy) this.#idleSinceMs = nowMs;
    if (observation.kind !== 'answered' || !Number.isInteger(observation.stamp)) return;
    if (this.#lastStamp !== undefined && this.#lastStamp !== observation.stamp) this.#idleSinceMs = nowMs;
    this.#lastStamp = observation.stamp;
  }
}

/**
 * Whether a ping keeps its session from being reclaimed. The documentation lets an agent omit `time_of_last_update`; the
 * service was measured to ignore `HealthyBusy` without an integer there, which is what `strict` reproduces.
 */
export function keepsBusy(observation: PingObservation, strict: boolean): boolean {
  if (observation.kind === 'failed' || !observation.busy) return false;
  return !strict || Number.isInteger(observation.stamp);
}
