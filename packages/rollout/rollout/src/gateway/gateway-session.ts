import type { FinishedTrajectory, TrajectorySummaryRecord } from '@art/gateway-client';
import { ArtError, describeThrown, type JsonObject } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { TraceContext } from '@art/ground/telemetry';
import type { CaptureReward, RolloutCapture } from '../lifecycle/rollout-capture.ts';
import { isLeftAlone } from '../lifecycle/outcome-of-failure.ts';
import type { RolloutAddress } from '../request/rollout-request.ts';
import type { SessionReach } from '../reach/session-reach.ts';
import { isGatewayOutage, type GatewaySessions } from './gateway-sessions.ts';
import type { RunBudget } from './run-budget.ts';
import type { CaptureSummary, RolloutTrajectory } from './rollout-trajectory.ts';

/** A rollout that is `ok` is kept, with the last turn's reward where it has one; every other one failed. */
export const defaultReward: CaptureReward = (outcome) =>
  outcome.kind === 'ok' ? (outcome.reward ?? null) : undefined;

type State =
  | { kind: 'unopened' }
  | { kind: 'open' }
  | {
      kind: 'kept';
      outcome: RolloutOutcome;
      reward: number | null;
      finished: Promise<FinishedTrajectory> | undefined;
    }
  | { kind: 'dropped' }
  /** Another process has the rollout now, or will, and its session. */
  | { kind: 'left' };

/** The gateway's session of one rollout: opened before the agent is called, finished or dropped with its outcome. */
export class GatewaySession implements RolloutCapture {
  readonly #address: RolloutAddress;
  readonly #rewardOf: CaptureReward;
  readonly #sessions: GatewaySessions;
  readonly #traceContext: TraceContext | undefined;
  readonly #reach: SessionReach | undefined;
  #state: State = { kind: 'unopened' };

  /**
   * @param parts `traceContext`: where the spans of its calls belong; `reach`: by which the agent gets to the gateway, where that
   *   is no address
   */
  constructor(
    address: RolloutAddress,
    rewardOf: CaptureReward,
    sessions: GatewaySessions,
    {
      traceContext,
      reach,
    }: { traceContext?: TraceContext | undefined; reach?: SessionReach | undefined } = {},
  ) {
    this.#address = address;
    this.#rewardOf = rewardOf;
    this.#sessions = sessions;
    this.#traceContext = traceContext;
    this.#reach = reach;
  }

  async open(signal: AbortSignal): Promise<string | undefined> {
    const spent = this.#budget?.reached;
    if (spent !== undefined) throw runCeiling(spent.message);
    try {
      const apiKey = await this.#sessions.open(this.#address, signal, this.#traceContext);
      this.adopt();
      this.#reach?.useKey(apiKey);
      return this.#reach === undefined ? apiKey : undefined;
    } catch (error) {
      // A refusal made nothing; whatever else went wrong may have come after the session was made.
      if ((error as Partial<ArtError>).code !== 'ART_GATEWAY_CONFLICT') this.adopt();
      throw error;
    }
  }

  isOutage(error: unknown): boolean {
    return isGatewayOutage(error);
  }

  async hasCalls(signal: AbortSignal): Promise<boolean> {
    const status = await this.#sessions.gateway.client.trajectory(this.#address.sessionId, { signal });
    return status !== undefined && status.turns + status.in_flight > 0;
  }

  get isBounded(): boolean {
    return this.#budget !== undefined;
  }

  async bounded(outcome: RolloutOutcome, expiredMs = 0): Promise<RolloutOutcome> {
    const { seconds = Infinity } = this.#budget?.sampleCeiling ?? {};
    if (outcome.kind === 'timeout' && seconds * 1_000 <= expiredMs)
      return sampleCeiling(outcome, `All of its ${seconds} seconds are spent.`);
    if (this.#state.kind !== 'open') return outcome;
    if (outcome.kind === 'cancelled') {
      // Its agent may store what it made of a refused call before its session ends: anyone who resumes is not to take that.
      const reached = this.#budget?.reached;
      return reached === undefined || isLeftAlone(outcome)
        ? outcome
        : { kind: 'cancelled', error: runCeiling(reached.message) };
    }
    const { client } = this.#sessions.gateway;
    const status = await client.trajectory(this.#address.sessionId).catch(() => undefined);
    if (status?.spent != null) this.#budget?.count(status.spent);
    if (status?.ceiling == null) return outcome;
    if (status.ceiling.of === 'sample') return sampleCeiling(outcome, status.ceiling.message);
    this.#budget?.refuse(status.ceiling);
    return { kind: 'cancelled', error: runCeiling(status.ceiling.message) };
  }

  get #budget(): RunBudget | undefined {
    return this.#sessions.gateway.budget();
  }

  accepted(onRefused: (error: ArtError) => void): void {
    this.#reach?.start(onRefused);
  }

  adopt(): void {
    if (this.#state.kind === 'unopened') this.#state = { kind: 'open' };
  }

  async end(outcome: RolloutOutcome): Promise<void> {
    // First, and whatever becomes of the rollout: no handshake may start a session that was stopped.
    await this.#reach?.close();
    if (this.#state.kind !== 'open') return;
    if (isLeftAlone(outcome)) {
      this.#state = { kind: 'left' };
      return;
    }
    const reward = this.#rewardOf(outcome);
    const { sessionId } = this.#address;
    if (reward === undefined) {
      this.#state = { kind: 'dropped' };
      await this.#sessions.drop(sessionId);
      return;
    }
    this.#state = { kind: 'kept', outcome, reward, finished: undefined };
    try {
      await this.#finish(this.#state);
    } catch (error) {
      this.#sessions.warn(
        `The gateway's session ${sessionId} could not be finished, and will be when its trajectory is asked for: ${describeThrown(error).message}`,
      );
    }
  }

  /** After `end` was called. @throws GatewayError where the gateway could not be asked; it may be asked again. */
  async trajectory(outcome: RolloutOutcome): Promise<RolloutTrajectory> {
    if (this.#state.kind !== 'kept') return emptyTrajectory({ ...this.#address, outcome });
    const { sessionId, inputId: groupId } = this.#address;
    const { rows, summary } = await this.#finish(this.#state);
    const reward = this.#state.reward ?? undefined;
    return { sessionId, groupId, outcome, reward, rows, summary: summary && captureSummary(summary) };
  }

  // The gateway answers the same when it is asked again, so a failure is not kept.
  #finish(state: Extract<State, { kind: 'kept' }>): Promise<FinishedTrajectory> {
    const { gateway } = this.#sessions;
    const { outcome, reward } = state;
    const metadata: JsonObject = { outcome: outcome.kind };
    const input = { reward, metadata, waitTimeoutMs: gateway.waitTimeoutMs };
    state.finished ??= gateway.client.finishedTrajectory(this.#address.sessionId, input).catch((error) => {
      state.finished = undefined;
      throw error;
    });
    return state.finished;
  }
}

function sampleCeiling(outcome: RolloutOutcome, message: string): RolloutOutcome {
  const error = new ArtError({ code: 'ART_CEILING_REACHED', message });
  return { kind: 'ceiling', error, ...('document' in outcome && { document: outcome.document }) };
}

function runCeiling(message: string): ArtError {
  return new ArtError({ code: 'ART_RUN_CEILING_REACHED', message });
}

/** The trajectory of a rollout of which nothing is kept. */
export function emptyTrajectory(rollout: {
  sessionId: string;
  inputId: string;
  outcome: RolloutOutcome;
}): RolloutTrajectory {
  const { sessionId, inputId: groupId, outcome } = rollout;
  return { sessionId, groupId, outcome, reward: undefined, rows: [], summary: undefined };
}

function captureSummary(summary: TrajectorySummaryRecord): CaptureSummary {
  return {
    turns: summary.turns,
    answeredTurns: summary.answered_turns,
    parallelTurns: summary.parallel_turns,
    sampledTokens: summary.sampled_tokens,
    trainedTokens: summary.trained_tokens,
    maskedTurns: summary.masked_turns.map(({ trace_id: captureId, reason, problems }) => ({
      captureId,
      reason,
      problems,
    })),
    unfinishedCalls: summary.unfinished_calls,
    failedCalls: summary.failed_calls ?? undefined,
  };
}
