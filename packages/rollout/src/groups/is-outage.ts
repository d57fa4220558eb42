import { RuntimeError, type RolloutOutcome } from '@art/protocol';

/**
 * Whether what a rollout met is most likely still down a moment later: its surroundings, by the agent's own words or ours, or
 * whatever kept the agent from getting it at all.
 */
export function isOutage(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'infra_error') return true;
  if (outcome.kind !== 'lost') return false;
  const { error } = outcome;
  return RuntimeError.isInstance(error) && error.delivery === 'never';
}
