import type { Rollout } from '../lifecycle/rollout.ts';
import { GatewaySession } from './gateway-session.ts';
import { noGateway } from './no-gateway.ts';
import type { Trajectory } from './trajectory.ts';

/**
 * What the model calls of a rollout were, once its outcome is known.
 * @throws GatewayError; ArtError `ART_INVALID_OPTION` where nothing was to be captured
 */
export async function trajectoryOf({ capture, settled }: Rollout): Promise<Trajectory> {
  if (!(capture instanceof GatewaySession)) throw noGateway();
  return await capture.trajectory(await settled);
}
