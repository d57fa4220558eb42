import type { FinishedSession } from '../../sessions/session-state.ts';
import type { FinishStatus } from '../../sessions/finish-session.ts';

/** `GET /trajectories/{id}`. */
export function statusRecord(status: FinishStatus): Record<string, unknown> {
  const { init, state, createdAtMs, inFlight, captures, summary, spending } = status;
  return {
    session_id: init.sessionId,
    state,
    turns: captures.length,
    leaves: summary.leaves,
    in_flight: inFlight,
    prompt_tokens: captures.reduce((sum, capture) => sum + capture.promptTokenIds.length, 0),
    completion_tokens: summary.sampledTokens,
    incomplete_turns: captures.filter((capture) => capture.status !== 'complete').length,
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
    masked_turns: summary.masked.map(({ captureId, reason, problems }) => ({
      trace_id: captureId,
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
