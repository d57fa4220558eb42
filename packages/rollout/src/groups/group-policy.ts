import { aNumber, anObject, fitting, oneOf, optional, type OptionRules, readMember } from '@art/protocol';
import type { FailureCause } from './judge-outcome.ts';

/** What becomes of a member for whose failure nobody's policy is to blame. */
export interface FailurePolicy {
  /** Further attempts, each in a new session and under a new key. */
  retries?: number | undefined;
  /**
   * What becomes of the member when they are used up. `mask`: it stays in the group without reward and with weight 0, so
   * that the group keeps its shape. `drop`: it leaves the group. @default 'mask'
   */
  fallback?: 'mask' | 'drop' | undefined;
}

/** What becomes of a member whose handler failed. */
export interface AgentErrorPolicy {
  /** Further attempts, each in a new session and under a new key. */
  retries?: number | undefined;
  /** As elsewhere; `{ reward }` counts the failure as a rollout with that reward. @default 'mask' */
  fallback?: 'mask' | 'drop' | { reward: number } | undefined;
}

/** What to do when a member is slow: start another attempt beside it and keep whichever has a reward first. */
export interface LatePolicy {
  /** Milliseconds from the submission of an attempt after which it counts as late. */
  afterMs: number;
  /** Further attempts for lateness, per member. @default 1 */
  replacements?: number | undefined;
}

/** What to do about members that fail or are late. Retries are only made where the group cannot be whole without them. */
export interface GroupPolicy {
  /** `infra_error`, `lost`, `throttled`, `rejected`, `invalid_result`. Never enters the mean. @default { retries: 2, fallback: 'mask' } */
  infrastructure?: FailurePolicy | undefined;
  /** `timeout`: alive, but not done in time. Never enters the mean. @default { retries: 0, fallback: 'mask' } */
  timeout?: FailurePolicy | undefined;
  /** `ok` without a finite reward. Never enters the mean. @default { retries: 0, fallback: 'mask' } */
  noReward?: FailurePolicy | undefined;
  /** `agent_error`: the handler failed. Enters the mean only with `fallback: { reward }`. @default { retries: 0, fallback: 'mask' } */
  agentError?: AgentErrorPolicy | undefined;
  /** What to do about members that run for long. @default none: a slow member is waited for until its timeout */
  late?: LatePolicy | undefined;
}

/** What a cause leads to, with every default filled in. */
export interface FailureRule {
  retries: number;
  fallback: 'mask' | 'drop' | { reward: number };
}

const policyNames = {
  infrastructure: 'infrastructure',
  timeout: 'timeout',
  no_reward: 'noReward',
  agent_error: 'agentError',
} as const satisfies Record<FailureCause, keyof GroupPolicy>;

// A machine that died says nothing about the agent, so trying again is free of bias. A timeout or an error may well be the
// policy's own doing: trying again until it succeeds would hide that from the trainer.
const defaultRetries: Record<FailureCause, number> = {
  infrastructure: 2,
  timeout: 0,
  no_reward: 0,
  agent_error: 0,
};

export function failureRule(policy: GroupPolicy, cause: FailureCause): FailureRule {
  const { retries = defaultRetries[cause], fallback = 'mask' } = policy[policyNames[cause]] ?? {};
  return { retries, fallback };
}

const failureRules = {
  retries: optional(aNumber({ min: 0, integer: true })),
  fallback: optional(oneOf('mask', 'drop')),
} satisfies OptionRules<FailurePolicy>;

const agentErrorRules = {
  ...failureRules,
  fallback: optional(fitting("'mask', 'drop' or { reward: a finite number }", isAgentErrorFallback)),
} satisfies OptionRules<AgentErrorPolicy>;

const lateRules = {
  afterMs: aNumber({ above: 0 }),
  replacements: optional(aNumber({ min: 1, integer: true })),
} satisfies OptionRules<LatePolicy>;

export const groupPolicyRules = {
  infrastructure: optional(anObject(failureRules)),
  timeout: optional(anObject(failureRules)),
  noReward: optional(anObject(failureRules)),
  agentError: optional(anObject(agentErrorRules)),
  late: optional(anObject(lateRules)),
} satisfies OptionRules<GroupPolicy>;

function isAgentErrorFallback(fallback: unknown): boolean {
  return fallback === 'mask' || fallback === 'drop' || Number.isFinite(readMember(fallback, 'reward'));
}
