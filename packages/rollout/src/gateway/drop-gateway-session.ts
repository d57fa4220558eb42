import type { RolloutGateway } from './gateway-options.ts';

/** Drops the gateway's session of a rollout. Never rejects: nothing depends on it, and the gateway forgets it by itself later. */
export async function dropGatewaySession(
  sessionId: string,
  { gateway, warn }: { gateway: RolloutGateway; warn: (message: string) => void },
): Promise<void> {
  try {
    await gateway.client.deleteTrajectory(sessionId);
  } catch (error) {
    warn(
      `The gateway's session ${sessionId} could not be dropped, and stays there until the gateway lets go of it: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
