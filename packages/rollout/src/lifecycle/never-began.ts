import { RuntimeError, type RolloutOutcome } from '@art/protocol';
import { isGatewayOutage } from '../gateway/is-gateway-outage.ts';

/** Whether a rollout was lost before its agent had it: whatever was down is most likely still down a moment later. */
export function neverBegan(outcome: RolloutOutcome): boolean {
  if (outcome.kind !== 'lost') return false;
  const { error } = outcome;
  return isGatewayOutage(error) || (RuntimeError.isInstance(error) && error.delivery === 'never');
}
