import {
  type AgentRuntime,
  checkNumber,
  checkOptionNames,
  optionNames,
  refuseOption,
  type RuntimeEvent,
} from '@art/protocol';
import type { RateShare } from './rate-share.ts';

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
   * Runtimes with the same key share both budgets and the quota state, within the process and, with `share`, beyond.
   * Quotas hold per account and region, so that is what it should name. @default a key of its own
   */
  sharedKey?: string | undefined;
  /**
   * Shares the budgets with other processes, for one `redisShare` of `@art/invoke-redis`. Give the same object to all clients of
   * one key. @default this process only
   */
  share?: RateShare | undefined;
  /** Told about throttling, retries, quota pauses and the state of `share`. */
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
  share: true,
  onEvent: true,
  random: true,
  onClose: true,
});

/** What the clients of one key share; all of them must agree on it. */
export interface BudgetSettings {
  newSessionsPerSecond: number;
  dataPlanePerSecond: number;
  share: RateShare | undefined;
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
    refuseOption('runtime', 'an AgentRuntime', runtime);
  if (typeof options !== 'object' || options === null) refuseOption('options', 'an object', options);
  checkOptionNames('PacedRuntime', options, pacedRuntimeNames);
  const {
    newSessionsPerSecond = 25,
    dataPlanePerSecond = 500,
    maxRetryAttempts = 5,
    quotaWaitMs = Infinity,
    sharedKey,
    share,
    onEvent,
    onClose = () => {},
    random = Math.random,
  } = options;
  checkNumber('newSessionsPerSecond', newSessionsPerSecond, anyRate);
  checkNumber('dataPlanePerSecond', dataPlanePerSecond, anyRate);
  checkNumber('maxRetryAttempts', maxRetryAttempts, { min: 0, max: Infinity, integer: true });
  checkNumber('quotaWaitMs', quotaWaitMs, { min: 0, max: Infinity });
  if (sharedKey !== undefined && (typeof sharedKey !== 'string' || !/^[^\s{}]{1,512}$/.test(sharedKey)))
    refuseOption('sharedKey', '1 to 512 characters without white space and braces', sharedKey);
  if (share !== undefined && typeof share?.join !== 'function')
    refuseOption('share', 'a RateShare, such as `redisShare({ client, processes })` gives', share);
  if (share !== undefined && sharedKey === undefined)
    refuseOption('sharedKey', 'given together with `share`; processes find each other by it', sharedKey);
  checkFunction('onEvent', onEvent);
  checkFunction('onClose', onClose);
  checkFunction('random', random);
  return {
    budget: { newSessionsPerSecond, dataPlanePerSecond, share },
    maxRetryAttempts,
    quotaWaitMs,
    sharedKey,
    onEvent,
    random,
    onClose,
  };
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') refuseOption(name, 'a function', value);
}
