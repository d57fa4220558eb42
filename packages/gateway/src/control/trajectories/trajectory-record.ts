import type { FinishedTrajectory } from '../../trajectories/trajectory-state.ts';
import type { TrajectoryStatus } from '../../trajectories/trajectory-status.ts';

/** `GET /trajectories/{id}`. */
export function statusRecord(status: TrajectoryStatus): Record<string, unknown> {
  return {
    session_id: status.sessionId,
    state: status.state,
    turns: status.turns,
    leaves: status.leaves,
    in_flight: status.inFlight,
    prompt_tokens: status.promptTokens,
    completion_tokens: status.completionTokens,
    incomplete_turns: status.incompleteTurns,
    rollout_id: status.rolloutId,
    group_id: status.groupId,
    created_at: status.createdAtMs / 1_000,
    max_turns: status.maxTurns ?? null,
    max_context_tokens: status.maxContextTokens ?? null,
    metadata: status.metadata,
  };
}

/** What a finished trajectory is, beside its records. */
export function summaryRecord({ summary, unfinishedCalls }: FinishedTrajectory): Record<string, unknown> {
  return {
    turns: summary.turns,
    roots: summary.roots,
    leaves: summary.leaves,
    sampled_tokens: summary.sampledTokens,
    trained_tokens: summary.trainedTokens,
    masked_turns: summary.masked.map(({ traceId, reason, problems }) => ({
      trace_id: traceId,
      reason,
      problems,
    })),
    dropped_rows: summary.droppedRows,
    unfinished_calls: unfinishedCalls,
  };
}
