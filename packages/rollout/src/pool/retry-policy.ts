import { aNumber, optional, type OptionRules, type RolloutOutcomeKind } from '@art/protocol';

/** Outcomes after which another attempt can make sense. */
export type RetriableOutcomeKind = Exclude<RolloutOutcomeKind, 'ok' | 'cancelled'>;

/**
 * How many further attempts a payload gets, by what its rollout ended with; each in a new session, under a new key and with
 * a new attempt id. `Infinity` for as many as it takes.
 */
export type RetryPolicy = { [Kind in RetriableOutcomeKind]?: number | undefined };

const aRetryCount = aNumber({ min: 0, max: Infinity, integer: true });

// What the infrastructure did says nothing about the agent, so trying again is free of bias. `lost`: dead sessions, and
// sessions that did not start; `infra_error`: what the agent itself met, and a model gateway that was down. Timeouts and errors may
// well be the policy's own doing, and what was refused or came out garbled would most likely be so again.
export const retryRules = {
  lost: optional(aRetryCount, 2),
  infra_error: optional(aRetryCount, 2),
  throttled: optional(aRetryCount, 5),
  timeout: optional(aRetryCount, 0),
  agent_error: optional(aRetryCount, 0),
  rejected: optional(aRetryCount, 0),
  invalid_result: optional(aRetryCount, 0),
} satisfies OptionRules<RetryPolicy>;

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** Pause before the attempt of this number, 1 for the first retry: 1 s, doubled each time, 30 s at most. */
export function defaultRetryDelayMs(attempt: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
}
