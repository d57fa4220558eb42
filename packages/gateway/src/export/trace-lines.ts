import type { TraceStore } from '../store/trace-store.ts';
import { toTraceRecord } from '../trace/trace-record.ts';

/** The traces of sessions as JSON Lines, a line at a time, one session after the other and oldest first. */
export async function* traceLines(
  store: Pick<TraceStore, 'tracesOf'>,
  sessionIds: Iterable<string>,
): AsyncGenerator<string, void, void> {
  for (const sessionId of sessionIds) {
    for (const trace of await store.tracesOf(sessionId)) yield `${toTraceRecord(trace)}\n`;
  }
}
