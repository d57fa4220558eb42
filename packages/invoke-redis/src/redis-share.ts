import type { RateShare } from '@art/invoke';
import { checkNumber, checkOptionNames, optionNames, refuseOption } from '@art/protocol';
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

const names = optionNames<RedisShareOptions>({ client: true, processes: true, presumeDeadAfterMs: true });

/**
 * Shares rates through Redis: the `share` of `createAgentCoreRuntime` and `PacedRuntime`. Connects when it is used.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function redisShare(options: RedisShareOptions): RateShare {
  if (typeof options !== 'object' || options === null) refuseOption('options', 'an object', options);
  checkOptionNames('redisShare', options, names);
  const { client, processes, presumeDeadAfterMs = 60_000 } = options;
  if (typeof client?.duplicate !== 'function' || typeof client.call !== 'function')
    refuseOption('client', 'an ioredis client (version 5 or later)', client);
  checkNumber('processes', processes ?? null, { min: 1, max: 10_000, integer: true });
  checkNumber('presumeDeadAfterMs', presumeDeadAfterMs, { min: 0, max: Infinity });
  return {
    processes,
    join: (sharedKey, onChange) => {
      const members = new RedisMembership({ client, processes, presumeDeadAfterMs, sharedKey, onChange });
      return {
        grants: (budget, callsPerSecond) => new RedisGrants(members, budget, callsPerSecond),
        close: () => members.close(),
      };
    },
  };
}
