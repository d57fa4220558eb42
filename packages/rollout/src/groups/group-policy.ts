import { checkNumber, checkOptionNames, refuseOption } from '@art/protocol';
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

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkGroupPolicy(policy: GroupPolicy | undefined): void {
  if (policy === undefined) return;
  const known: readonly string[] = [...Object.values(policyNames), 'late'];
  refuseOtherNames('policy', policy, known);
  for (const name of Object.values(policyNames)) {
    const given = policy[name];
    if (given === undefined) continue;
    refuseOtherNames(`policy.${name}`, given, ['retries', 'fallback']);
    checkNumber(`policy.${name}.retries`, given.retries, { min: 0, integer: true });
    checkFallback(name, given.fallback);
  }
  if (policy.late === undefined) return;
  refuseOtherNames('policy.late', policy.late, ['afterMs', 'replacements']);
  if (policy.late.afterMs === undefined)
    refuseOption('policy.late.afterMs', 'a finite number greater than 0', undefined);
  checkNumber('policy.late.afterMs', policy.late.afterMs, { above: 0 });
  checkNumber('policy.late.replacements', policy.late.replacements, { min: 1, integer: true });
}

function checkFallback(name: string, fallback: unknown): void {
  if (fallback === undefined || fallback === 'mask' || fallback === 'drop') return;
  const option = `policy.${name}.fallback`;
  if (name !== policyNames.agent_error) refuseOption(option, "'mask' or 'drop'", fallback);
  const reward: unknown =
    typeof fallback === 'object' && fallback !== null && 'reward' in fallback && fallback.reward;
  if (typeof reward === 'number' && Number.isFinite(reward)) return;
  refuseOption(option, "'mask', 'drop' or { reward: a finite number }", fallback);
}

function refuseOtherNames(option: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null) refuseOption(option, 'an object', value);
  checkOptionNames(option, value, known);
}
