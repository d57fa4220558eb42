import { ArtError } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { Rollout } from '../lifecycle/rollout.ts';
import { emptyTrajectory, GatewaySession } from './gateway-session.ts';
import type { RolloutTrajectory } from './rollout-trajectory.ts';

/** A rollout that this process never began. */
export interface UnbegunRollout {
  sessionId: string;
  inputId: string;
  outcome: RolloutOutcome;
}

/**
 * The trajectory of a rollout, once its outcome is known; empty if this process never began it.
 * @throws GatewayError; ArtError `ART_INVALID_OPTION` if the client captures nothing
 */
export async function trajectoryOf(rollout: Rollout | UnbegunRollout): Promise<RolloutTrajectory> {
  if (!('settled' in rollout)) return emptyTrajectory(rollout);
  return capturedBy(rollout).trajectory(await rollout.settled);
}

/** @throws ArtError `ART_INVALID_OPTION` where a rollout has none */
export function capturedBy({ capture }: Pick<Rollout, 'capture'>): GatewaySession {
  if (capture instanceof GatewaySession) return capture;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message:
      'Expected `gateway` to say which gateway captures the model calls, got undefined. Give it, or do without trajectories and rows.',
  });
}
