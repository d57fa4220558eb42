import type { AgentWire } from '@art/trajectories';
import type { CapturedReply } from '../../capture/captured-reply.ts';
import type { PreparedCall } from '../../capture/prepare-call.ts';
import { toTraces } from '../../capture/to-traces.ts';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import type { EngineReply } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';

/** What traces are made of. */
export interface CapturedExchange {
  /** The wire that the agent spoke. */
  wire: AgentWire;
  prepared: PreparedCall;
  captured: CapturedReply;
  worker: Worker;
  flavour: EngineFlavour;
  /** What the transport knows of the answer. */
  notes: EngineReply['notes'];
  /** The engine's bytes, where they are one document. */
  rawReply: Buffer | undefined;
}

/**
 * Stores the traces of a call, before the agent has the end of its reply: none without a session.
 * @throws ArtError what the store throws: a reply whose trace is lost must not pass for a good one
 */
export async function storeTraces(
  { options, store, directory, metrics, log }: CallContext,
  { session, meter, arrivedAtMs, weightVersion }: AdmittedCall,
  { wire, prepared, captured, worker, flavour, notes, rawReply }: CapturedExchange,
): Promise<void> {
  if (session === undefined) return;
  const { sessionId } = session;
  const traces = toTraces(prepared, captured, {
    sessionId,
    worker: worker.url,
    engine: flavour,
    wire,
    timestampMs: arrivedAtMs,
    latencyMs: meter.elapsedMs,
    weightVersion,
    illFormedChoices: notes?.illFormedChoices,
    rawRequest: options.keepRawBodies ? prepared.body : undefined,
    rawResponse: options.keepRawBodies ? rawReply : undefined,
  });
  if (traces.length === 0) return;
  try {
    await store.append(traces);
  } catch (error) {
    // What the store has forgotten is not to be known here, or the next call would fail in the same way.
    directory.forget(sessionId);
    throw error;
  }
  for (const { capture, promptTokenIds, completionTokenIds, traceId, problems } of traces) {
    const [promptTokens, completionTokens] = [promptTokenIds.length, completionTokenIds.length];
    metrics.traceStored({ capture, promptTokens, completionTokens });
    if (capture !== 'incomplete') continue;
    log.warn({ sessionId, traceId, problems, worker: worker.url, engine: flavour }, 'incomplete capture');
  }
}
