import { checkNumber, checkOptionNames, refuseOption, type RolloutOutcomeKind } from '@art/protocol';

/** Outcomes after which another attempt can make sense. */
export type RetriableOutcomeKind = Exclude<RolloutOutcomeKind, 'ok' | 'cancelled'>;

/**
 * How many further attempts a payload gets, by what its rollout ended with; each in a new session, under a new key and with
 * a new attempt id. `Infinity` for as many as it takes.
 */
export type RetryPolicy = { [Kind in RetriableOutcomeKind]?: number | undefined };

// What the infrastructure did says nothing about the agent, so trying again is free of bias. `lost`: dead sessions, and
// sessions that did not start; `infra_error`: what the agent itself met, and a model gateway that was down. Timeouts and errors may
// well be the policy's own doing, and what was refused or came out garbled would most likely be so again.
const defaultRetries: Record<RetriableOutcomeKind, number> = {
  lost: 2,
  infra_error: 2,
  throttled: 5,
  timeout: 0,
  agent_error: 0,
  rejected: 0,
  invalid_result: 0,
};

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** Pause before the attempt of this number, 1 for the first retry: 1 s, doubled each time, 30 s at most. */
export function defaultRetryDelayMs(attempt: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
}

/** With every default filled in. */
export function resolveRetryPolicy(policy: RetryPolicy = {}): Record<RetriableOutcomeKind, number> {
  const given = Object.entries(policy).filter(([, retries]) => retries !== undefined);
  return { ...defaultRetries, ...Object.fromEntries(given) };
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkRetryPolicy(policy: unknown): void {
  if (policy === undefined) return;
  if (typeof policy !== 'object' || policy === null) refuseOption('retry', 'an object', policy);
  checkOptionNames('retry', policy, Object.keys(defaultRetries));
  for (const [kind, retries] of Object.entries(policy)) {
    if (retries !== Number.POSITIVE_INFINITY)
      checkNumber(`retry.${kind}`, retries, { min: 0, integer: true });
  }
}
