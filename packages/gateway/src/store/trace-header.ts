import { parseJson, stringifyJson } from '@art/protocol';
import type { RoutedExperts, Trace } from '@art/trajectories';
import type { NewTrace } from './trace-store.ts';

/** Fields that are tokens or long texts, or that are found again when a trace is read; all others are kept as JSON. */
const elsewhere = {
  messages: undefined,
  tools: undefined,
  responseMessage: undefined,
  promptTokenIds: undefined,
  completionTokenIds: undefined,
  logprobs: undefined,
  routedExperts: undefined,
  routingMatrices: undefined,
  rawRequest: undefined,
  rawResponse: undefined,
  prefix: undefined,
};

/** Where a trace stands, and which texts follow its response, in this order. */
export interface TraceParts {
  /** Which trace of its session, from 0. */
  ordinal: number;
  storedAtMs: number;
  hasTools: boolean;
  experts: Omit<RoutedExperts, 'data'> | undefined;
  matrixCount: number | undefined;
  hasRawRequest: boolean;
  hasRawResponse: boolean;
}

/** What a stored trace says of itself without its parents being looked at. */
export interface TraceHeader {
  parts: TraceParts;
  fields: Omit<Trace, keyof typeof elsewhere>;
}

/** @throws ArtError `ART_JSON_WRITE` if the metadata is not JSON */
export function writeTraceHeader(
  trace: NewTrace,
  at: Pick<TraceParts, 'ordinal' | 'storedAtMs' | 'hasTools'>,
): string {
  const { routedExperts, metadata } = trace;
  const parts: TraceParts = {
    ...at,
    experts: routedExperts && { encoding: routedExperts.encoding, shape: routedExperts.shape },
    matrixCount: trace.routingMatrices?.length,
    hasRawRequest: trace.rawRequest !== undefined,
    hasRawResponse: trace.rawResponse !== undefined,
  };
  const fields = { ...trace, ...elsewhere, metadata: undefined };
  // Only the metadata comes from outside and may hold what JSON.stringify would change.
  return `{"parts":${JSON.stringify(parts)},"fields":${JSON.stringify(fields)},"metadata":${stringifyJson(metadata)}}`;
}

export function readTraceHeader(text: string): TraceHeader {
  const { parts, fields, metadata } = parseJson(text) as unknown as TraceHeader & Pick<Trace, 'metadata'>;
  const { finishReason, weightVersion, temperature, topP, usage } = fields;
  const { prompt, completion } = usage;
  // A field that is undefined is not in the text.
  const optional = { finishReason, weightVersion, temperature, topP, usage: { prompt, completion } };
  return { parts, fields: { ...fields, ...optional, metadata } };
}
