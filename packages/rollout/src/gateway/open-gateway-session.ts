import { type Clock, pause } from '@art/async';
import { GatewayError, type CreateTrajectoryInput } from '@art/gateway-client';
import type { TrajectoryGateway } from './gateway-options.ts';

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
 * @throws GatewayError, also when a deadline ends the wait for a gateway that is down; the signal's reason when aborted otherwise
 */
export async function openGatewaySession(
  input: CreateTrajectoryInput,
  attemptId: string,
  { client, clock, outage, openTimeoutMs }: OpenGatewaySessionParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const givenUpAtMs = clock.nowMs() + openTimeoutMs;
  let lastOutage: GatewayError | undefined;
  for (let tries = 1; ; tries += 1) {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
    try {
      const { api_key: apiKey } = await client.createTrajectory(input, { signal });
      outage.answered();
      return apiKey ?? undefined;
    } catch (error) {
      if (signal.aborted) throw endOfWaiting(signal, lastOutage);
      if (!GatewayError.isInstance(error)) throw error;
      if (error.code === 'ART_GATEWAY_CONFLICT') {
        const found = await client.trajectory(input.sessionId, { signal });
        if (found?.metadata['attempt_id'] !== attemptId || found.state !== 'open') throw error;
        return found.api_key ?? undefined;
      }
      if (!isGatewayOutage(error)) throw error;
      lastOutage = error;
      outage.failed(error, tries);
      if (clock.nowMs() + pauseMs > givenUpAtMs) throw error;
    }
    await pause(pauseMs, { clock, signal }).catch(() => undefined);
    if (signal.aborted) throw endOfWaiting(signal, lastOutage);
  }
}

// A rollout whose time was over before its gateway came back has not been slow: nothing of it had begun.
function endOfWaiting(signal: AbortSignal, lastOutage: GatewayError | undefined): Error {
  const reason = signal.reason as Error & { code?: string };
  return reason.code === 'ART_ROLLOUT_TIMEOUT' && lastOutage !== undefined ? lastOutage : reason;
}

/** Whether the gateway was down or overloaded, which may pass, and did not refuse what it was asked. */
export function isGatewayOutage(error: unknown): error is GatewayError {
  if (!GatewayError.isInstance(error)) return false;
  const { code, status } = error;
  return (
    code === 'ART_GATEWAY_UNREACHABLE' ||
    code === 'ART_GATEWAY_TIMEOUT' ||
    (status !== undefined && (status >= 500 || status === 429))
  );
}

// A moment's trouble passes unseen; an operator should hear when rollouts wait.
const failuresToWarn = 4;

/** Warns once when the gateway stays down, and again only when it had answered in between. Shared by a client's rollouts. */
export class GatewayOutageReporter {
  readonly #warn: (message: string) => void;
  #state: { kind: 'answers' } | { kind: 'down'; isTold: boolean } = { kind: 'answers' };

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  answered(): void {
    this.#state = { kind: 'answers' };
  }

  /** @param tries how often in a row the gateway failed one rollout. */
  failed(error: Error, tries: number): void {
    if (this.#state.kind === 'answers') this.#state = { kind: 'down', isTold: false };
    if (this.#state.isTold || tries < failuresToWarn) return;
    this.#state = { kind: 'down', isTold: true };
    this.#warn(`Rollouts wait for the model gateway, which does not make their sessions: ${error.message}`);
  }
}
