import type { GatewayClient } from '@art/gateway-client';
import type { RunBudget, TrajectoryGateway } from '@art/rollout';
import type { CaptureRecord } from '@art/trajectories';

/** Reader of transcripts. */
export interface CaptureReader {
  /** Calls of a session in the order in which they began; none for one that made no calls. */
  captures(sessionId: string): Promise<readonly CaptureRecord[]>;
  /** Calls of a session that failed, which leave no capture, and those whose answers were kept; undefined where that is not known. */
  callCounts(sessionId: string): Promise<{ failed: number | undefined; kept: number | undefined }>;
  /** Ceilings of the sessions that are made from now on; absent where nothing counts that. */
  budget?: RunBudget | undefined;
  /** Forgets a session that has been read. */
  drop(sessionId: string): Promise<void>;
}

/**
 * A gateway for `RolloutClient` that keeps what failed rollouts said, which is what somebody wants to read. Pass it as `gateway`, and to
 * the evaluation as `capture`; sessions are dropped once their transcripts are written.
 */
export class TranscriptGateway implements TrajectoryGateway, CaptureReader {
  readonly #client: GatewayClient;
  readonly #agentUrlOf: (sessionId: string) => string;
  readonly reach: 'session' | undefined;
  budget: RunBudget | undefined = undefined;

  /** @param agentSide the same gateway as agents reach it; `session`: through their sessions, without an address @default client */
  constructor(client: GatewayClient, agentSide: Pick<GatewayClient, 'baseUrlOf'> | 'session' = client) {
    const addresses = agentSide === 'session' ? client : agentSide;
    this.#client = client;
    this.#agentUrlOf = (sessionId) => addresses.baseUrlOf(sessionId);
    this.reach = agentSide === 'session' ? agentSide : undefined;
  }

  baseUrlOf(sessionId: string): string {
    return this.#agentUrlOf(sessionId);
  }

  createTrajectory(...input: Parameters<GatewayClient['createTrajectory']>) {
    return this.#client.createTrajectory(...input);
  }

  trajectory(...input: Parameters<GatewayClient['trajectory']>) {
    return this.#client.trajectory(...input);
  }

  finishedTrajectory(...input: Parameters<GatewayClient['finishedTrajectory']>) {
    return this.#client.finishedTrajectory(...input);
  }

  /** Does nothing yet: `drop` does it. */
  deleteSession(): Promise<number> {
    return Promise.resolve(0);
  }

  captures(sessionId: string): Promise<readonly CaptureRecord[]> {
    return this.#client.compactCaptures(sessionId);
  }

  async callCounts(sessionId: string): Promise<{ failed: number | undefined; kept: number | undefined }> {
    const session = await this.#client.session(sessionId);
    return { failed: session?.failed_calls ?? undefined, kept: session?.kept_answers ?? undefined };
  }

  async drop(sessionId: string): Promise<void> {
    await this.#client.deleteSession(sessionId);
  }
}
