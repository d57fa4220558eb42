import {
  aFunction,
  aNumber,
  matching,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import { type RuntimeEvent } from '@art/protocol';
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
  /**
   * Repeats of an invocation that was refused with 429 or 409, at most. Each follows after 2 s at most, or when the service says.
   * @default Infinity: as long as the signal of the caller allows, such as the time-out of a rollout
   */
  maxRetryAttempts?: number | undefined;
  /**
   * How long an invocation continues when the account has no room for its session (402), milliseconds from its first such
   * refusal. It counts as no attempt. @default Infinity: as long as the caller's signal allows
   */
  quotaWaitMs?: number | undefined;
  /**
   * Runtimes with the same key share both budgets and the quota state, within the process and, with `share`, beyond.
   * Quotas hold per account and region, so that is what it should name. @default its own key
   */
  sharedKey?: string | undefined;
  /**
   * Shares the budgets with other processes, for one `redisShare` of `@art/invoke/redis`. Give the same object to all clients of
   * one key. @default this process only
   */
  share?: RateShare | undefined;
  /** Called at throttling, retries, quota pauses and the state of `share`. */
  onEvent?: ((event: RuntimeEvent) => void) | undefined;
  /** Source of the jitter, from 0 to below 1. @default Math.random */
  random?: (() => number) | undefined;
  /** Called once by `close()`, for anyone who owns the wrapped runtime. */
  onClose?: (() => void) | undefined;
}

const aRate = aNumber({ min: 0.001, max: 100_000 });

export const pacedRuntimeRules = {
  newSessionsPerSecond: optional(aRate, 25),
  dataPlanePerSecond: optional(aRate, 500),
  maxRetryAttempts: optional(aNumber({ min: 0, max: Infinity, integer: true }), Infinity),
  quotaWaitMs: optional(aNumber({ min: 0, max: Infinity }), Infinity),
  sharedKey: optional(matching('1 to 512 characters without white space and braces', /^[^\s{}]{1,512}$/)),
  share: optional(withMethod('a RateShare, such as `redisShare({ client, processes })` gives', 'join')),
  onEvent: optional(aFunction()),
  random: optional(aFunction(), Math.random),
  onClose: optional(aFunction()),
} satisfies OptionRules<PacedRuntimeOptions>;

/** Checked options with every default filled in. */
export type PacedRuntimeSettings = ReadOptions<typeof pacedRuntimeRules>;

/** Settings that the clients of one key share; all of them must agree on them. */
export type BudgetSettings = Pick<
  PacedRuntimeSettings,
  'newSessionsPerSecond' | 'dataPlanePerSecond' | 'share'
>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function readPacedRuntimeOptions(options: PacedRuntimeOptions): PacedRuntimeSettings {
  const settings = readOptions('PacedRuntime', options, pacedRuntimeRules);
  if (settings.share !== undefined && settings.sharedKey === undefined)
    refuseOption('sharedKey', 'given together with `share`; processes find each other by it', undefined);
  return settings;
}
