import { ArtError, checkOptionNames, describeValue, optionNames, type AgentRuntime } from '@art/protocol';
import { checkNumberOption } from '../check-number-option.ts';
import type { RuntimeEvent } from '@art/protocol';
import type { RedisClient, RedisOptions } from '../redis/redis-client.ts';

/** How calls are paced and sent again. */
export interface PacedRuntimeOptions {
  /**
   * Sessions started per second at most, over all clients with the same `sharedKey`. The quota of an account is 25 per second
   * by default (service quota L-8EE2AEA2). @default 25
   */
  newSessionsPerSecond?: number | undefined;
  /**
   * Calls of any kind per second at most, over all clients with the same `sharedKey`. The quota of an account is 1,000 per second
   * by default (service quota L-46ED137C). @default 500
   */
  dataPlanePerSecond?: number | undefined;
  /** How often an invocation refused with 429 or 409 is sent again; `Infinity` never gives up. @default 5 */
  maxRetryAttempts?: number | undefined;
  /**
   * How long an invocation goes on when the account has no room for its session (402), milliseconds from its first such
   * refusal. It counts as no attempt. @default Infinity: as long as the caller's signal allows
   */
  quotaWaitMs?: number | undefined;
  /**
   * Runtimes with the same key share both budgets and the quota state, within the process and, with `redis`, beyond.
   * Quotas hold per account and region, so that is what it should name. @default a key of its own
   */
  sharedKey?: string | undefined;
  /** Shares the budgets with other processes through Redis. @default this process only */
  redis?: RedisOptions | undefined;
  /** Told about throttling, retries, quota pauses and the state of Redis. */
  onEvent?: ((event: RuntimeEvent) => void) | undefined;
  /** Source of the jitter, from 0 to below 1. @default Math.random */
  random?: (() => number) | undefined;
  /** Called once by `close()`, for whoever owns the wrapped runtime. */
  onClose?: (() => void) | undefined;
}

export const pacedRuntimeNames = optionNames<PacedRuntimeOptions>({
  newSessionsPerSecond: true,
  dataPlanePerSecond: true,
  maxRetryAttempts: true,
  quotaWaitMs: true,
  sharedKey: true,
  redis: true,
  onEvent: true,
  random: true,
  onClose: true,
});

/** What the clients of one key share; all of them must agree on it. */
export interface BudgetSettings {
  newSessionsPerSecond: number;
  dataPlanePerSecond: number;
  redis: { client: RedisClient; processes: number; presumeDeadAfterMs: number } | undefined;
}

/** Checked options with every default filled in. */
export interface PacedRuntimeSettings {
  budget: BudgetSettings;
  maxRetryAttempts: number;
  quotaWaitMs: number;
  sharedKey: string | undefined;
  onEvent: ((event: RuntimeEvent) => void) | undefined;
  random: () => number;
  onClose: () => void;
}

const anyRate = { min: 0.001, max: 100_000 };

/**
 * Checks the options once and fills in the defaults.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkPacedRuntimeOptions(
  runtime: AgentRuntime,
  options: PacedRuntimeOptions,
): PacedRuntimeSettings {
  if (typeof runtime?.invoke !== 'function' || typeof runtime.stop !== 'function')
    refuse('runtime', 'an AgentRuntime', runtime);
  if (typeof options !== 'object' || options === null) refuse('options', 'an object', options);
  checkOptionNames('PacedRuntime', options, pacedRuntimeNames);
  const { sharedKey, redis, onEvent, onClose, random } = options;
  if (sharedKey !== undefined && (typeof sharedKey !== 'string' || !/^[^\s{}]{1,512}$/.test(sharedKey)))
    refuse('sharedKey', '1 to 512 characters without white space and braces', sharedKey);
  if (redis !== undefined && sharedKey === undefined)
    refuse('sharedKey', 'given together with `redis`; processes find each other by it', sharedKey);
  checkFunction('onEvent', onEvent);
  checkFunction('onClose', onClose);
  checkFunction('random', random);
  return {
    budget: {
      newSessionsPerSecond: checkNumberOption(
        'newSessionsPerSecond',
        options.newSessionsPerSecond ?? 25,
        anyRate,
      ),
      dataPlanePerSecond: checkNumberOption('dataPlanePerSecond', options.dataPlanePerSecond ?? 500, anyRate),
      redis: redis === undefined ? undefined : checkRedisOptions(redis),
    },
    maxRetryAttempts: checkNumberOption('maxRetryAttempts', options.maxRetryAttempts ?? 5, {
      min: 0,
      max: Infinity,
      integer: true,
    }),
    quotaWaitMs: checkNumberOption('quotaWaitMs', options.quotaWaitMs ?? Infinity, { min: 0, max: Infinity }),
    sharedKey,
    onEvent,
    random: random ?? Math.random,
    onClose: onClose ?? (() => {}),
  };
}

function checkRedisOptions(redis: RedisOptions): NonNullable<BudgetSettings['redis']> {
  const { client, processes, presumeDeadAfterMs = 60_000 } = redis;
  if (typeof client?.duplicate !== 'function' || typeof client.call !== 'function')
    refuse('redis.client', 'an ioredis client (version 5 or later)', client);
  return {
    client,
    processes: checkNumberOption('redis.processes', processes, { min: 1, max: 10_000, integer: true }),
    presumeDeadAfterMs: checkNumberOption('redis.presumeDeadAfterMs', presumeDeadAfterMs, {
      min: 0,
      max: Infinity,
    }),
  };
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') refuse(name, 'a function', value);
}

function refuse(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected \`${name}\` to be ${expected}, got ${describeValue(got)}.`,
  });
}
