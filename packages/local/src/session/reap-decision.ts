/** What decides about a session's life, in milliseconds of one monotonic clock. */
export interface ReapFacts {
  nowMs: number;
  startedAtMs: number;
  /** Undefined while the session is not idle. */
  idleSinceMs: number | undefined;
  idleTimeoutMs: number;
  maxLifetimeMs: number;
  /** Pings in a row without an answer, and how many end a session. */
  failedPings: number;
  maxFailedPings: number;
}

export type ReapDecision = { kind: 'keep' } | { kind: 'reap'; reason: 'idle' | 'max_lifetime' | 'unhealthy' };

/**
 * Whether a session has to go. Being busy holds off the idle timeout, never the maximum lifetime.
 * Source: AgentCore developer guide, lifecycle settings and long-running agents; sessions, for the health check, of which
 * it tells no number.
 */
export function reapDecision(facts: ReapFacts): ReapDecision {
  if (facts.nowMs - facts.startedAtMs >= facts.maxLifetimeMs) return { kind: 'reap', reason: 'max_lifetime' };
  if (facts.failedPings >= facts.maxFailedPings) return { kind: 'reap', reason: 'unhealthy' };
  if (facts.idleSinceMs !== undefined && facts.nowMs - facts.idleSinceMs >= facts.idleTimeoutMs) {
    return { kind: 'reap', reason: 'idle' };
  }
  return { kind: 'keep' };
}
