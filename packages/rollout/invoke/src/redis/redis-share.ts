import type { RateShare } from '../pacing/rate-share.ts';
import { aNumber, custom, optional, type OptionRules, readMember, readOptions } from '@art/ground';
import type { RedisClient } from './redis-client.ts';
import { RedisGrants } from './redis-grants.ts';
import { RedisMembership } from './redis-membership.ts';

/** Sharing the rates among processes, also of several machines. */
export interface RedisShareOptions {
  /** An ioredis client. Its settings are used for connections of our own; it is neither used nor closed itself. */
  client: RedisClient;
  /**
   * How many processes share the rates, 1 to 10,000. While Redis is away each of them keeps to this fraction of the rates, so
   * that their sum is never exceeded: a number that is too low breaks that, one that is too high only costs speed then.
   */
  processes: number;
  /**
   * A process that vanished without `close()` may be alive but cut off from Redis, and then still uses its share.
   * The others leave that share to it for this long. `Infinity` leaves it for good. @default 60_000
   */
  presumeDeadAfterMs?: number | undefined;
}

const rules = {
  client: custom('an ioredis client (version 5 or later)', (value) =>
    [readMember(value, 'duplicate'), readMember(value, 'call')].every(
      (member) => typeof member === 'function',
    ),
  ),
  processes: aNumber({ min: 1, max: 10_000, integer: true }),
  presumeDeadAfterMs: optional(aNumber({ min: 0, max: Infinity }), 60_000),
} satisfies OptionRules<RedisShareOptions>;

/**
 * Shares rates through Redis: the `share` of `createAgentCoreRuntime` and `PacedRuntime`. Connects when it is used.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function redisShare(options: RedisShareOptions): RateShare {
  const settings = readOptions('redisShare', options, rules);
  return {
    processes: settings.processes,
    join: (sharedKey, onChange) => {
      const members = new RedisMembership({ ...settings, sharedKey, onChange });
      return {
        grants: (budget, callsPerSecond) => new RedisGrants(members, budget, callsPerSecond),
        close: () => members.close(),
      };
    },
  };
}
