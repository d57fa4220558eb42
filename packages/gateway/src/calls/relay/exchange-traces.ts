import { toTraces } from '../../capture/to-traces.ts';
import type { CapturedReply } from '../../capture/captured-reply.ts';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import type { AgentWire } from '@art/trajectories';
import type { NewTrace } from '../../store/trace-store.ts';
import type { Call } from '../call/call.ts';
import type { ProxyContext } from '../call/proxy-context.ts';

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
export function exchangeTraces(
  context: ProxyContext,
  call: Call,
  from: CapturedExchange,
): readonly NewTrace[] {
  const { session } = call;
  if (session === undefined) return [];
  const { keepRawBodies } = context.options;
  const traces = toTraces(from.prepared, from.captured, {
    sessionId: session.sessionId,
    worker: from.worker,
    engine: call.engine,
    wire: from.wire,
    timestampMs: call.arrivedAtMs,
    latencyMs: call.elapsedMs,
    weightVersion: call.weightVersion,
    metadata: {},
    rawRequest: keepRawBodies ? from.prepared.body : undefined,
    rawResponse: keepRawBodies ? from.rawReply : undefined,
  });
  const illFormed = call.replyNotes?.illFormedChoices;
  if (illFormed === undefined || illFormed.size === 0) return traces;
  return traces.map((trace) =>
    illFormed.has(trace.choiceIndex) ? { ...trace, metadata: { ill_formed: true } } : trace,
  );
}
