import type { Clock } from '@art/ground';
import { ServiceFault } from './service-fault.ts';

/** Limits of the real service that a test can switch on; none is by default. */
export interface ServiceLimitOptions {
  /** New sessions per second over all agents; beyond it 429 "New session creation rate exceeded". AgentCore: 25. */
  newSessionsPerSecond?: number | undefined;
  /** Data-plane calls per second over all agents; beyond it 429 "Rate exceeded". AgentCore: 1,000. */
  callsPerSecond?: number | undefined;
  /** Sessions that may live at the same time, idle ones included; beyond it 402. AgentCore: 2,500 or 5,000. */
  maxLiveSessions?: number | undefined;
  /**
   * 409 for a call on a session that is being set up or torn down. Without it such a call waits for the session, or
   * starts a fresh one; the real service was seen to do either.
   * @default false
   */
  conflictDuringTransition?: boolean | undefined;
}

/** Refuses what the real service would refuse under its quotas. */
export class ServiceLimits {
  readonly #newSessions: TokenBucket | undefined;
  readonly #calls: TokenBucket | undefined;
  readonly #maxLive: number;
  readonly #conflict: boolean;

  constructor(options: ServiceLimitOptions, clock: Clock) {
    const bucket = (perSecond: number | undefined): TokenBucket | undefined =>
      perSecond === undefined ? undefined : new TokenBucket(perSecond, clock);
    this.#newSessions = bucket(options.newSessionsPerSecond);
    this.#calls = bucket(options.callsPerSecond);
    this.#maxLive = options.maxLiveSessions ?? Number.POSITIVE_INFINITY;
    this.#conflict = options.conflictDuringTransition ?? false;
  }

  /** @throws ServiceFault 429 */
  admitCall(): void {
    if (this.#calls?.tryTake() === false) {
      throw new ServiceFault({ type: 'ThrottlingException', message: 'Rate exceeded' });
    }
  }

  /** @throws ServiceFault 429 or 402 */
  admitNewSession(liveSessions: number): void {
    if (this.#newSessions?.tryTake() === false) {
      throw new ServiceFault({ type: 'ThrottlingException', message: 'New session creation rate exceeded' });
    }
    if (liveSessions >= this.#maxLive) {
      throw new ServiceFault({ type: 'ServiceQuotaExceededException', message: 'maxVms limit exceeded' });
    }
  }

  /** @throws ServiceFault 409 */
  admitDuringTransition(): void {
    if (this.#conflict) {
      throw new ServiceFault({
        type: 'RetryableConflictException',
        message: 'Session operation in progress, please retry',
      });
    }
  }
}

/** A rate limit that lets a burst of one second through, as AWS's quotas do. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #tokens: number;
  #filledAtMs: number;

  constructor(perSecond: number, clock: Pick<Clock, 'nowMs'>) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#tokens = this.#capacity;
    this.#filledAtMs = clock.nowMs();
  }

  /** Takes a token where there is one. */
  tryTake(): boolean {
    const nowMs = this.#clock.nowMs();
    const earned = ((nowMs - this.#filledAtMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + earned);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  get #capacity(): number {
    return Math.max(1, this.#perSecond);
  }
}
