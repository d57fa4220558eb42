import { toTraces } from '../capture/to-traces.ts';
import type { CapturedReply } from '../capture/captured-reply.ts';
import type { PreparedCall } from '../capture/prepared-call.ts';
import type { AgentWire, Trace } from '../trace/trace.ts';
import type { Call } from './call.ts';
import type { ProxyContext } from './proxy-context.ts';

/** What {@link exchangeTraces} makes traces of. */
export interface CapturedExchange {
  /** The wire that the agent spoke. */
  wire: AgentWire;
  prepared: PreparedCall;
  captured: CapturedReply;
  /** The worker's URL. */
  worker: string;
  /** The engine's bytes, where they are one document. */
  rawReply: Buffer | undefined;
}

/** The traces of a call: none without a session. */
export function exchangeTraces(context: ProxyContext, call: Call, from: CapturedExchange): readonly Trace[] {
  const { session } = call;
  if (session === undefined) return [];
  const { keepRawBodies } = context.options;
  const traces = toTraces(from.prepared, from.captured, {
    sessionId: session.sessionId,
    worker: from.worker,
    wire: from.wire,
    timestampMs: call.arrivedAtMs,
    latencyMs: call.elapsedMs,
    weightVersion: call.weightVersion,
    metadata: {},
    rawRequest: keepRawBodies ? Buffer.from(from.prepared.body).toString() : undefined,
    rawResponse: keepRawBodies ? from.rawReply?.toString() : undefined,
  });
  // In token mode the reply is in vLLM's shape, whatever engine sampled it.
  const { engine } = call;
  const illFormed = call.replyNotes?.illFormedChoices;
  if (engine === undefined && (illFormed?.size ?? 0) === 0) return traces;
  return traces.map((trace) => ({
    ...trace,
    engine: engine ?? trace.engine,
    metadata: illFormed?.has(trace.choiceIndex) === true ? { ill_formed: true } : trace.metadata,
  }));
}
