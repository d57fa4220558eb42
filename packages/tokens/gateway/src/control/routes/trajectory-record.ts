import type { FinishedSession } from '../../sessions/session-state.ts';
import type { FinishStatus } from '../../sessions/finish-session.ts';

/** `GET /trajectories/{id}`. */
export function statusRecord(status: FinishStatus): Record<string, unknown> {
  const { init, state, createdAtMs, inFlight, traces, summary, spending } = status;
  return {
    session_id: init.sessionId,
    state,
    turns: traces.length,
    leaves: summary.leaves,
    in_flight: inFlight,
    prompt_tokens: traces.reduce((sum, trace) => sum + trace.promptTokenIds.length, 0),
    completion_tokens: summary.sampledTokens,
    incomplete_turns: traces.filter((trace) => trace.capture !== 'complete').length,
    rollout_id: init.rolloutId ?? init.sessionId,
    group_id: init.groupId ?? null,
    created_at: createdAtMs / 1_000,
    max_turns: init.maxTurns ?? null,
    max_context_tokens: init.maxContextTokens ?? null,
    ceiling: spending?.reached ?? null,
    spent: spending?.run?.spent ?? null,
    metadata: init.metadata ?? {},
  };
}

/** The summary of a finished trajectory, without its records. */
export function summaryRecord(finished: FinishedSession): Record<string, unknown> {
  const { summary, unfinishedCalls, contextFull, failedCalls, abandonedCalls } = finished;
  return {
    turns: summary.turns,
    answered_turns: summary.answeredTurns,
    parallel_turns: summary.parallelTurns,
    roots: summary.roots,
    leaves: summary.leaves,
    sampled_tokens: summary.sampledTokens,
    trained_tokens: summary.trainedTokens,
    masked_turns: summary.masked.map(({ traceId, reason, problems }) => ({
      trace_id: traceId,
      reason,
      problems,
    })),
    not_chosen_turns: summary.notChosenTurns,
    dropped_rows: summary.droppedRows,
    unfinished_calls: unfinishedCalls,
    context_full: contextFull,
    failed_calls: failedCalls ?? null,
    abandoned_calls: abandonedCalls ?? null,
  };
}
