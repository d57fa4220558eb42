import { GatewayError, type CreateTrajectoryInput } from '@art/gateway-client';
import type { Clock } from '../clock.ts';
import { pause } from '../pause.ts';
import type { GatewayOutageReporter } from './gateway-outage-reporter.ts';
import { isGatewayOutage } from './is-gateway-outage.ts';
import type { TrajectoryGateway } from './trajectory-gateway.ts';

export interface OpenGatewaySessionParts {
  client: TrajectoryGateway;
  clock: Clock;
  outage: GatewayOutageReporter;
  /** How long a gateway that is down is waited for. */
  openTimeoutMs: number;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;

/**
 * Creates the gateway's session of a rollout. A gateway that is down is asked again, with growing pauses, for as long as
 * `openTimeoutMs`: nothing has been started yet, so waiting costs nothing. A session that exists already is taken if it is this attempt's own: its creation was answered, and the answer lost, or an earlier process made it.
 * @returns the key that the agent has to send; undefined where the gateway asks for none.
 * @throws GatewayError; the signal's reason when aborted
 */
export async function openGatewaySession(
  input: CreateTrajectoryInput,
  attemptId: string,
  { client, clock, outage, openTimeoutMs }: OpenGatewaySessionParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const givenUpAtMs = clock.nowMs() + openTimeoutMs;
  for (let tries = 1; ; tries += 1) {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
    try {
      const { api_key: apiKey } = await client.createTrajectory(input, { signal });
      outage.answered();
      return apiKey ?? undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!GatewayError.isInstance(error)) throw error;
      if (error.code === 'ART_GATEWAY_CONFLICT') {
        const found = await client.trajectory(input.sessionId, { signal });
        if (found?.metadata['attempt_id'] !== attemptId || found.state !== 'open') throw error;
        return found.api_key ?? undefined;
      }
      if (!isGatewayOutage(error)) throw error;
      outage.failed(error, tries);
      if (clock.nowMs() + pauseMs > givenUpAtMs) throw error;
    }
    await pause(clock, pauseMs, signal);
  }
}
