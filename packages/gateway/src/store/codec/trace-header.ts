import { parseJson, stringifyJson } from '@art/protocol';
import type { Trace } from '@art/trajectories';
import type { NewTrace } from '../../capture/new-trace.ts';

/** Fields of a trace that are neither tokens nor long texts; they are kept as JSON. */
type HeaderFields = Pick<
  Trace,
  | 'traceId'
  | 'sessionId'
  | 'choiceIndex'
  | 'choiceCount'
  | 'wire'
  | 'engine'
  | 'worker'
  | 'model'
  | 'timestampMs'
  | 'latencyMs'
  | 'finishReason'
  | 'weightVersion'
  | 'weightVersions'
  | 'usage'
  | 'temperature'
  | 'topP'
  | 'capture'
  | 'problems'
  | 'metadata'
>;

/** What a stored trace says of itself without its parents being looked at. */
export interface TraceHeader extends HeaderFields {
  /** Which trace of its session, from 0. */
  ordinal: number;
  storedAtMs: number;
  /** Texts behind the response, in this order. */
  hasTools: boolean;
  experts:
    | { encoding: NonNullable<Trace['routedExperts']>['encoding']; shape?: readonly number[] }
    | undefined;
  matrixCount: number | undefined;
  hasRawRequest: boolean;
  hasRawResponse: boolean;
}

/** @throws ArtError `ART_JSON_WRITE` if the metadata is not JSON */
export function writeTraceHeader(
  trace: NewTrace,
  at: { ordinal: number; storedAtMs: number; hasTools: boolean },
): string {
  const { routedExperts } = trace;
  const fields = {
    ...at,
    experts: routedExperts && { encoding: routedExperts.encoding, shape: routedExperts.shape },
    matrixCount: trace.routingMatrices?.length,
    hasRawRequest: trace.rawRequest !== undefined,
    hasRawResponse: trace.rawResponse !== undefined,
    traceId: trace.traceId,
    sessionId: trace.sessionId,
    choiceIndex: trace.choiceIndex,
    choiceCount: trace.choiceCount,
    wire: trace.wire,
    engine: trace.engine,
    worker: trace.worker,
    model: trace.model,
    timestampMs: trace.timestampMs,
    latencyMs: trace.latencyMs,
    finishReason: trace.finishReason,
    weightVersion: trace.weightVersion,
    weightVersions: trace.weightVersions,
    usage: trace.usage,
    temperature: trace.temperature,
    topP: trace.topP,
    capture: trace.capture,
    problems: trace.problems,
  };
  // Only the metadata comes from outside and may hold what JSON.stringify would change.
  return `${JSON.stringify(fields).slice(0, -1)},"metadata":${stringifyJson(trace.metadata)}}`;
}

export function readTraceHeader(text: string): TraceHeader {
  const header = parseJson(text) as unknown as TraceHeader;
  return {
    ...header,
    experts: header.experts,
    matrixCount: header.matrixCount,
    finishReason: header.finishReason,
    weightVersion: header.weightVersion,
    usage: { prompt: header.usage.prompt, completion: header.usage.completion },
    temperature: header.temperature,
    topP: header.topP,
  };
}
