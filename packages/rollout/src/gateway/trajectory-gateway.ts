import type { GatewayClient } from '@art/gateway-client';

/** What rollouts need of the gateway; a `GatewayClient`, or a fake in tests. */
export type TrajectoryGateway = Pick<
  GatewayClient,
  'baseUrlOf' | 'createTrajectory' | 'trajectory' | 'finishedTrajectory' | 'deleteTrajectory'
>;
