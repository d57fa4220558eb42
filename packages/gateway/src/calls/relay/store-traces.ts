import type { NewTrace } from '../../store/trace-store.ts';
import type { Call } from '../call/call.ts';
import type { ProxyContext } from '../call/proxy-context.ts';

/**
 * Stores what was captured, before the agent has the end of its reply.
 * @throws ArtError what the store throws: a reply whose trace is lost must not pass for a good one
 */
export async function storeTraces(
  context: ProxyContext,
  call: Call,
  traces: readonly NewTrace[],
): Promise<void> {
  if (traces.length === 0) return;
  try {
    await context.store.append(traces);
  } catch (error) {
    // What the store has forgotten is not to be known here, or the next call would fail in the same way.
    if (call.session !== undefined) context.directory.forget(call.session.sessionId);
    throw error;
  }
  for (const trace of traces) {
    context.metrics.traceStored({
      capture: trace.capture,
      promptTokens: trace.promptTokenIds.length,
      completionTokens: trace.completionTokenIds.length,
    });
    if (trace.capture !== 'incomplete') continue;
    const { sessionId, traceId, problems, worker, engine } = trace;
    context.log.warn({ sessionId, traceId, problems, worker, engine }, 'incomplete capture');
  }
}
