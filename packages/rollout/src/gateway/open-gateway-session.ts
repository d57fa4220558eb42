import { GatewayError, type CreateTrajectoryInput } from '@art/gateway-client';
import type { Clock } from '../clock.ts';
import { pause } from '../pause.ts';
import type { TrajectoryGateway } from './trajectory-gateway.ts';

export interface OpenGatewaySessionParts {
  client: TrajectoryGateway;
  clock: Clock;
}

const mostTries = 4;
const firstPauseMs = 250;

/**
 * Creates the gateway's session of a rollout, and again where it is not known whether that worked. One that exists already
 * is taken if it is this attempt's own: its creation was answered, and the answer lost, or an earlier process made it.
 * @returns the key that the agent has to send; undefined where the gateway asks for none.
 * @throws GatewayError; the signal's reason when aborted
 */
export async function openGatewaySession(
  input: CreateTrajectoryInput,
  attemptId: string,
  { client, clock }: OpenGatewaySessionParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { api_key: apiKey } = await client.createTrajectory(input, { signal });
      return apiKey ?? undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!GatewayError.isInstance(error)) throw error;
      if (error.code === 'ART_GATEWAY_CONFLICT') {
        const found = await client.trajectory(input.sessionId, { signal });
        if (found?.metadata['attempt_id'] !== attemptId || found.state !== 'open') throw error;
        return found.api_key ?? undefined;
      }
      if (tries >= mostTries || !mayPass(error)) throw error;
    }
    await pause(clock, firstPauseMs * 2 ** (tries - 1), signal);
  }
}

function mayPass({ code, status }: GatewayError): boolean {
  return (
    code === 'ART_GATEWAY_UNREACHABLE' ||
    code === 'ART_GATEWAY_TIMEOUT' ||
    (status !== undefined && (status >= 500 || status === 429))
  );
}
