import type { GrantSource } from './grant-source.ts';

/** Shares rates with other processes: `redisShare` of `@art/invoke/redis`, or your own. */
export interface RateShare {
  /** How many processes share the rates; while this one hears of no other it keeps to so small a part of them. */
  readonly processes: number;
  /**
   * Joins those who share the rates of a key.
   * @param sharedKey the same for all; 1 to 512 characters without white space and braces
   * @param onChange called when what connects the processes is lost, and when it is back
   */
  join(sharedKey: string, onChange: (change: RateShareChange) => void): JoinedRateShare;
}

export type RateShareChange = { kind: 'lost'; reason: string } | { kind: 'back' };

/** This process among those that share the rates of one key. */
export interface JoinedRateShare {
  /** Grants of one budget, over all processes no more calls per second than given. */
  grants(budget: 'new-sessions' | 'data-plane', callsPerSecond: number): GrantSource;
  /** Leaves. Called after its grants were closed. */
  close(): void;
}
