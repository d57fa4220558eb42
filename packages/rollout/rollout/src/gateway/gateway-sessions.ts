import { describeThrown, type Clock, growingPauseMs, pause } from '@art/ground';
import type { TraceContext } from '@art/ground/telemetry';
import { type CreateTrajectoryInput, GatewayError } from '@art/gateway-client';
import type { RolloutAddress } from '../request/rollout-request.ts';
import type { RolloutGateway } from './gateway-options.ts';

const outagePauses = { firstMs: 250, longestMs: 5_000 };
// A moment's trouble passes unseen; an operator should hear when rollouts wait.
const failuresToWarn = 4;

/** The gateway's sessions of a client's rollouts: makes and drops them. */
export class GatewaySessions {
  readonly gateway: RolloutGateway;
  readonly warn: (message: string) => void;
  readonly #clock: Clock;
  /** Since the gateway answered last. */
  #hasWarned = false;

  constructor(gateway: RolloutGateway, clock: Clock, warn: (message: string) => void) {
    this.gateway = gateway;
    this.#clock = clock;
    this.warn = warn;
  }

  /**
   * Creates the session of a rollout. A gateway that is down is asked again, with growing pauses, for as long as its
   * `openTimeoutMs`: nothing has been started yet, so waiting costs nothing. A session that exists already is taken if it is
   * this attempt's own: its creation was answered, and the answer lost, or an earlier process made it.
   * @param traceContext goes into its metadata: agents need not know of traces for their calls to be in the rollout's
   * @returns the key that the agent has to send; undefined where the gateway asks for none.
   * @throws GatewayError, also when a deadline ends the wait for a gateway that is down; the signal's reason when aborted otherwise
   */
  async open(
    { sessionId, inputId, invocationId }: RolloutAddress,
    signal: AbortSignal,
    traceContext?: TraceContext,
  ): Promise<string | undefined> {
    const { client, init, openTimeoutMs, budget } = this.gateway;
    const ceilings = budget()?.sessionCeilings();
    const metadata = { ...init.metadata, ...traceContext, attempt_id: invocationId };
    const input: CreateTrajectoryInput = {
      ...init,
      sessionId,
      rolloutId: sessionId,
      groupId: inputId,
      ceilings,
      metadata,
    };
    const givenUpAtMs = this.#clock.nowMs() + openTimeoutMs;
    let lastOutage: GatewayError | undefined;
    for (let tries = 1; ; tries += 1) {
      const pauseMs = growingPauseMs(tries, outagePauses);
      try {
        const { api_key: apiKey } = await client.createTrajectory(input, { signal });
        this.#hasWarned = false;
        return apiKey ?? undefined;
      } catch (error) {
        if (signal.aborted) throw endOfWaiting(signal, lastOutage);
        if (!GatewayError.isInstance(error)) throw error;
        if (error.code === 'ART_GATEWAY_CONFLICT') {
          const found = await client.trajectory(sessionId, { signal });
          if (found?.metadata['attempt_id'] !== invocationId || found.state !== 'open') throw error;
          return found.api_key ?? undefined;
        }
        if (!isGatewayOutage(error)) throw error;
        lastOutage = error;
        if (tries >= failuresToWarn) this.#warnOfOutage(error);
        if (this.#clock.nowMs() + pauseMs > givenUpAtMs) throw error;
      }
      await pause(pauseMs, { clock: this.#clock, signal }).catch(() => undefined);
      if (signal.aborted) throw endOfWaiting(signal, lastOutage);
    }
  }

  /** Never rejects: nothing depends on it, and the gateway forgets the session by itself later. */
  async drop(sessionId: string): Promise<void> {
    try {
      await this.gateway.client.deleteSession(sessionId);
    } catch (error) {
      this.warn(
        `The gateway's session ${sessionId} could not be dropped, and stays there until the gateway lets go of it: ${describeThrown(error).message}`,
      );
    }
  }

  /** Once while the gateway stays down, no matter who meets it. */
  #warnOfOutage(error: Error): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.warn(`Rollouts wait for the model gateway, which does not make their sessions: ${error.message}`);
  }
}

// A rollout whose time was over before its gateway came back has not been slow: nothing of it had begun.
function endOfWaiting(signal: AbortSignal, lastOutage: GatewayError | undefined): Error {
  const reason = signal.reason as Error & { code?: string };
  return reason.code === 'ART_ROLLOUT_TIMEOUT' && lastOutage !== undefined ? lastOutage : reason;
}

/** True if the gateway was down or overloaded, which may pass. False if it refused the request. */
export function isGatewayOutage(error: unknown): error is GatewayError {
  if (!GatewayError.isInstance(error)) return false;
  const { code, status } = error;
  return (
    code === 'ART_GATEWAY_UNREACHABLE' ||
    code === 'ART_GATEWAY_TIMEOUT' ||
    (status !== undefined && (status >= 500 || status === 429))
  );
}
