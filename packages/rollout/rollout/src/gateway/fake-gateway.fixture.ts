import {
  GatewayError,
  type CreateTrajectoryInput,
  type FinishedTrajectory,
  type FinishTrajectoryInput,
  type TrajectoryCreated,
  type TrajectoryStatus,
  type TrajectorySummaryRecord,
} from '@art/gateway-client';
import type { TrainingRow } from '@art/trajectories';
import type { CallOptions } from '@art/protocol';
import type { JsonObject } from '@art/ground';
import type { TrajectoryGateway } from './gateway-options.ts';

export interface FakeSession {
  input: CreateTrajectoryInput;
  finish: FinishTrajectoryInput | undefined;
}

type Call = 'create' | 'status' | 'finish' | 'delete';

/** A gateway in memory: each session has captured a row of two turns of a token each, unless `rowCount` says otherwise. */
export class FakeGateway implements TrajectoryGateway {
  readonly sessions = new Map<string, FakeSession>();
  readonly calls: { call: Call; sessionId: string }[] = [];
  apiKey: string | null = null;
  rowCount = 1;
  /** The status that it reports for every session. */
  status: Partial<TrajectoryStatus> = {};
  parallelTurns = 0;
  maskedTurns: TrajectorySummaryRecord['masked_turns'] = [];
  /** Asked before each call; what it returns is thrown, for `lost` answers after the call took effect. */
  failing: (call: Call, sessionId: string) => { error: GatewayError; when: 'before' | 'after' } | undefined =
    () => undefined;

  baseUrlOf(sessionId: string): string {
    return `http://gateway/sessions/${sessionId}/v1`;
  }

  createTrajectory(input: CreateTrajectoryInput, options?: CallOptions): Promise<TrajectoryCreated> {
    const { sessionId } = input;
    return this.#call('create', sessionId, options, () => {
      if (this.sessions.has(sessionId)) throw gatewayError('ART_GATEWAY_CONFLICT', 409);
      this.sessions.set(sessionId, { input, finish: undefined });
      return { session_id: sessionId, api_key: this.apiKey, base_url: this.baseUrlOf(sessionId) };
    });
  }

  trajectory(sessionId: string, options?: CallOptions): Promise<TrajectoryStatus | undefined> {
    return this.#call('status', sessionId, options, () => {
      const session = this.sessions.get(sessionId);
      if (session === undefined) return undefined;
      return {
        session_id: sessionId,
        api_key: this.apiKey,
        state: session.finish === undefined ? 'open' : 'finished',
        turns: 0,
        leaves: 0,
        in_flight: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        incomplete_turns: 0,
        rollout_id: session.input.rolloutId ?? sessionId,
        group_id: session.input.groupId ?? null,
        created_at: 0,
        metadata: session.input.metadata ?? {},
        ...this.status,
      };
    });
  }

  finishedTrajectory(
    sessionId: string,
    input: FinishTrajectoryInput = {},
    options?: CallOptions,
  ): Promise<FinishedTrajectory> {
    return this.#call('finish', sessionId, options, () => {
      const session = this.sessions.get(sessionId);
      if (session === undefined) throw gatewayError('ART_GATEWAY_NOT_FOUND', 404);
      session.finish ??= input;
      return { rows: this.#rowsOf(sessionId, session), summary: this.#summary };
    });
  }

  deleteSession(sessionId: string, options?: CallOptions): Promise<number> {
    return this.#call('delete', sessionId, options, () => Number(this.sessions.delete(sessionId)));
  }

  countOf(call: Call): number {
    return this.calls.filter((one) => one.call === call).length;
  }

  get #summary(): FinishedTrajectory['summary'] {
    const tokens = 2 * this.rowCount;
    return {
      turns: 2 * this.rowCount,
      answered_turns: 2 * this.rowCount,
      parallel_turns: this.parallelTurns,
      roots: 1,
      leaves: 1,
      sampled_tokens: tokens,
      trained_tokens: tokens,
      masked_turns: this.maskedTurns,
      dropped_rows: 0,
      unfinished_calls: 0,
      failed_calls: 2,
    };
  }

  #rowsOf(sessionId: string, { input, finish }: FakeSession): TrainingRow[] {
    const metadata: JsonObject = { ...input.metadata, ...finish?.metadata };
    return Array.from({ length: this.rowCount }, (_, index) => ({
      schema: 'art.training-row.v1',
      row_id: `${sessionId}#${index}`,
      session_id: sessionId,
      rollout_id: input.rolloutId ?? sessionId,
      group_id: input.groupId ?? null,
      row_index: index,
      row_count: this.rowCount,
      is_last: index === this.rowCount - 1,
      token_ids: [1, 2, 3, 4],
      prompt_length: 1,
      loss_mask: [1, 0, 1],
      logprobs: [-0.5, 0, -0.25],
      reward: index === this.rowCount - 1 ? (finish?.reward ?? null) : null,
      status: 'completed',
      finish_reason: 'stop',
      num_turns: 1,
      turn_spans: [
        { trace_id: `${sessionId}-${2 * index}`, start: 0, end: 1, turn: 2 * index },
        { trace_id: `${sessionId}-${2 * index + 1}`, start: 2, end: 3, turn: 2 * index + 1 },
      ],
      model: 'm',
      created_at: 0,
      metadata,
    }));
  }

  // A task later, like a call of the network.
  async #call<Result>(
    call: Call,
    sessionId: string,
    options: CallOptions | undefined,
    work: () => Result,
  ): Promise<Result> {
    this.calls.push({ call, sessionId });
    const failure = this.failing(call, sessionId);
    await new Promise((resolve) => void setTimeout(resolve, 1));
    options?.signal?.throwIfAborted();
    if (failure?.when === 'before') throw failure.error;
    const result = work();
    if (failure !== undefined) throw failure.error;
    return result;
  }
}

export function gatewayError(code: GatewayError['code'], status?: number): GatewayError {
  return new GatewayError({ code, status, call: 'fake', message: 'scripted' });
}
