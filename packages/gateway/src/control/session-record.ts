import { ownMetadata } from '../trajectories/stored-trajectory.ts';
import type { StoredSession } from '../store/trace-store.ts';

/** A session as it goes over the wire; the fields behind `metadata` are additions to rllm-model-gateway's. */
export function sessionRecord(session: StoredSession, activeCalls: number): Record<string, unknown> {
  return {
    session_id: session.sessionId,
    trace_count: session.traceCount,
    created_at: session.createdAtMs / 1_000,
    metadata: ownMetadata(session.metadata),
    first_trace_at: session.firstTraceAtMs === undefined ? null : session.firstTraceAtMs / 1_000,
    incomplete_count: session.incompleteCount,
    active_calls: activeCalls,
    finished: session.finished,
  };
}
