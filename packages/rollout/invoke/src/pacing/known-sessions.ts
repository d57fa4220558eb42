import { type Clock, systemClock } from '@art/ground';

const forgetAfterMs = 900_000;
const mostSessions = 100_000;

/**
 * The sessions that are alive as far as this process knows: a call to one of them needs no new machine.
 * When in doubt a session is unknown; calling it then costs a start from the budget, no more.
 */
export class KnownSessions {
  readonly #lastUsedMs = new Map<string, number>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** A call was accepted in the session. */
  add(sessionId: string): void {
    this.#lastUsedMs.delete(sessionId);
    this.#lastUsedMs.set(sessionId, this.#clock.nowMs());
    if (this.#lastUsedMs.size > mostSessions) {
      const oldest = this.#lastUsedMs.keys().next().value;
      if (oldest !== undefined) this.#lastUsedMs.delete(oldest);
    }
  }

  /** True if the session is certainly there. AgentCore ends idle sessions, by default after 15 minutes. */
  has(sessionId: string): boolean {
    const lastUsedMs = this.#lastUsedMs.get(sessionId);
    return lastUsedMs !== undefined && this.#clock.nowMs() - lastUsedMs < forgetAfterMs;
  }

  delete(sessionId: string): void {
    this.#lastUsedMs.delete(sessionId);
  }
}
