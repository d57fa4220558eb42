import { growingPauseMs, aNumber, custom, oneOf, optional, type OptionRules, readMember } from '@art/ground';
import { RuntimeError, type RolloutOutcome, type RolloutOutcomeKind } from '@art/protocol';

/** Outcomes after which another attempt can make sense. */
export type RetriableOutcomeKind = Exclude<RolloutOutcomeKind, 'ok' | 'cancelled'>;

/** Why a rollout counts as failed: its outcome; for members of groups also `no_reward`, an `ok` without a finite reward. */
export type FailureCause = RetriableOutcomeKind | 'cancelled' | 'no_reward';

/**
 * How many further attempts a rollout gets, by what an attempt ended with; each in a new session, under a new key and with an
 * invocation id of its own. `Infinity` for as many as it takes.
 */
export type RetryPolicy = { [Kind in RetriableOutcomeKind]?: number | undefined };

/** The same for members of groups. */
export type GroupRetryPolicy = RetryPolicy & { no_reward?: number | undefined };

/**
 * The treatment of a group's member whose attempts are used up. `mask`: it stays in the group without reward and with
 * weight 0, so that the group keeps its shape. `drop`: it leaves the group.
 */
export type Fallback = 'mask' | 'drop';

/** By what its last attempt ended with. Only a handler that failed can be given a reward. @default 'mask' */
export type FallbackPolicy = {
  [Cause in Exclude<FailureCause, 'cancelled' | 'agent_error'>]?: Fallback | undefined;
} & { agent_error?: Fallback | { reward: number } | undefined };

/** Both, with every default filled in. */
export interface FailureRules {
  retries: Readonly<Record<Exclude<FailureCause, 'cancelled'>, number>>;
  fallbacks: Readonly<Record<Exclude<FailureCause, 'cancelled'>, Fallback | { reward: number }>>;
}

const aRetryCount = aNumber({ min: 0, max: Infinity, integer: true });

// A failure of the infrastructure says nothing about the agent, so another attempt adds no bias. `lost`: dead sessions, and
// sessions that did not start. `infra_error`: reported by the agent itself, or a model gateway that was down. Timeouts, ceilings and errors
// may be the policy's own doing, and what was refused or cannot be read would most likely be so again.
export const retryRules = {
  lost: optional(aRetryCount, 2),
  infra_error: optional(aRetryCount, 2),
  throttled: optional(aRetryCount, 5),
  timeout: optional(aRetryCount, 0),
  agent_error: optional(aRetryCount, 0),
  ceiling: optional(aRetryCount, 0),
  rejected: optional(aRetryCount, 0),
  invalid_result: optional(aRetryCount, 0),
} satisfies OptionRules<RetryPolicy>;

export const groupRetryRules = {
  ...retryRules,
  no_reward: optional(aRetryCount, 0),
} satisfies OptionRules<GroupRetryPolicy>;

const aFallback = optional<Fallback, Fallback>(oneOf('mask', 'drop'), 'mask');

export const fallbackRules = {
  lost: aFallback,
  infra_error: aFallback,
  throttled: aFallback,
  timeout: aFallback,
  ceiling: aFallback,
  rejected: aFallback,
  invalid_result: aFallback,
  no_reward: aFallback,
  agent_error: optional<Fallback | { reward: number }, Fallback>(
    custom(
      "'mask', 'drop' or { reward: a finite number }",
      (fallback) =>
        fallback === 'mask' || fallback === 'drop' || Number.isFinite(readMember(fallback, 'reward')),
    ),
    'mask',
  ),
} satisfies OptionRules<FallbackPolicy>;

const outagePauses = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Pause before an attempt, by its number, 1 for the first retry: none, but after what most likely fails again a moment later 1 s, doubled
 * each time, 30 s at most.
 */
export function defaultRetryDelayMs(attempt: number, outcome: RolloutOutcome): number {
  return isOutage(outcome) ? growingPauseMs(attempt, outagePauses) : 0;
}

/** A full service, infrastructure that failed, or whatever kept the request from the agent. */
function isOutage(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'infra_error' || outcome.kind === 'throttled') return true;
  return outcome.kind === 'lost' && RuntimeError.isInstance(outcome.error);
}
