import type { EngineFailure } from '../../engines/engine-transport.ts';
import type { RetryBounds } from '../../options/resolve-gateway-options.ts';

/** Result of an attempt that may be repeated. */
export type FailedAttempt =
  | { kind: 'status'; status: number; retryAfter: string | undefined }
  | { kind: 'connection'; failure: EngineFailure };

const passing = new Set([408, 429, 502, 503, 504]);

/** True if the same request may get another status a moment later. */
export function isRetryableStatus(status: number): boolean {
  return status === 500 || passing.has(status);
}

/** Decides about the attempts of one call. */
export class RetryPlan {
  readonly #options: RetryBounds;
  readonly #random: () => number;
  #attempts = { status: 0, serverError: 0, connection: 0 };

  constructor(options: RetryBounds, random: () => number = Math.random) {
    this.#options = options;
    this.#random = random;
  }

  /** @returns how long to wait before the next attempt, ms, or undefined to give up */
  next(attempt: FailedAttempt): number | undefined {
    const { attempts, serverErrorAttempts, connectionAttempts, maxRetryAfterMs } = this.#options;
    if (attempt.kind === 'connection') {
      if (attempt.failure === 'aborted' || this.#attempts.connection >= connectionAttempts) return undefined;
      this.#attempts.connection += 1;
      // Most often a kept connection that the engine had closed: a fresh one works at once.
      return this.#attempts.connection === 1 ? 0 : this.#pause(this.#attempts.connection - 2);
    }
    if (attempt.status === 500) {
      if (this.#attempts.serverError >= serverErrorAttempts) return undefined;
      return this.#pause(this.#attempts.serverError++);
    }
    if (!passing.has(attempt.status) || this.#attempts.status >= attempts) return undefined;
    const pause = this.#pause(this.#attempts.status++);
    const asked = retryAfterMs(attempt.retryAfter);
    return asked === undefined ? pause : Math.min(asked, maxRetryAfterMs);
  }

  #pause(earlier: number): number {
    const { baseDelayMs, maxDelayMs } = this.#options;
    const pause = Math.min(maxDelayMs, baseDelayMs * 2 ** earlier);
    return pause * (0.75 + this.#random() / 2);
  }
}

// Source: RFC 9110, section 10.2.3; engines send seconds, never dates.
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}
