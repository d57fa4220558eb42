import { describe, expect, it } from 'vitest';
import { reapDecision, type ReapFacts } from './reap-decision.ts';

const facts: ReapFacts = {
  nowMs: 1_000_000,
  startedAtMs: 0,
  idleSinceMs: 1_000_000,
  idleTimeoutMs: 900_000,
  maxLifetimeMs: 28_800_000,
  failedPings: 0,
  maxFailedPings: 15,
};

describe('reapDecision', () => {
  it.each<[string, Partial<ReapFacts>, 'keep' | 'idle' | 'max_lifetime' | 'unhealthy']>([
    ['idle only just', {}, 'keep'],
    ['one millisecond before the idle timeout', { idleSinceMs: 100_001 }, 'keep'],
    ['at the idle timeout', { idleSinceMs: 100_000 }, 'idle'],
    ['not idle', { idleSinceMs: undefined, startedAtMs: -20_000_000 }, 'keep'],
    ['one millisecond before the maximum lifetime', { nowMs: 28_799_999, idleSinceMs: undefined }, 'keep'],
    ['at the maximum lifetime, busy', { nowMs: 28_800_000, idleSinceMs: undefined }, 'max_lifetime'],
    ['one ping before it is given up', { failedPings: 14, idleSinceMs: undefined }, 'keep'],
    ['at the last ping', { failedPings: 15, idleSinceMs: undefined }, 'unhealthy'],
    ['at both limits', { nowMs: 28_800_000, idleSinceMs: 0 }, 'max_lifetime'],
  ])('%s', (_name, change, expected) => {
    const decision = reapDecision({ ...facts, ...change });
    expect(decision.kind === 'keep' ? 'keep' : decision.reason).toBe(expected);
  });
});
