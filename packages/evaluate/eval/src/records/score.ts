import type { RolloutOutcomeKind } from '@art/protocol';

/**
 * Outcomes that are the agent's own doing: its handler failed, or it wanted more time, or more of its model, than it may have. They score `failureReward`. What is
 * neither `ok` nor one of these says something of the infrastructure, and nothing of the agent.
 */
const agentFailures: ReadonlySet<RolloutOutcomeKind> = new Set(['agent_error', 'timeout', 'ceiling']);

export function isAgentFailure(outcome: RolloutOutcomeKind): boolean {
  return agentFailures.has(outcome);
}

/** Score of a sample in the statistics; null where it is excluded. */
export function scoreOf(
  outcome: RolloutOutcomeKind,
  reward: number | null,
  failureReward: number | null,
): number | null {
  if (outcome === 'ok') return reward;
  return isAgentFailure(outcome) ? failureReward : null;
}
