import type { SpanContext } from '@opentelemetry/api';
import type { Api } from './open-telemetry.ts';

/**
 * Where a span stands, as it travels between processes: in a rollout's payload, in the metadata of its gateway session, in headers.
 * Source: https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  /** Version, trace id, span id and flags: `00-<32 hex>-<16 hex>-<2 hex>`. */
  traceparent: string;
  tracestate?: string;
}

// A version to come may have more members behind these four.
const written = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Reads another process's statement of its span; undefined for anything else, since no work may fail for that. */
export function readTraceContext(value: unknown): TraceContext | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { traceparent, tracestate } = value as Record<string, unknown>;
  if (typeof traceparent !== 'string' || !written.test(traceparent)) return undefined;
  return typeof tracestate === 'string' && tracestate !== '' ? { traceparent, tracestate } : { traceparent };
}

/** True if both spans belong to one trace. */
export function isSameTrace(a: TraceContext, b: TraceContext): boolean {
  return written.exec(a.traceparent)?.[1] === written.exec(b.traceparent)?.[1];
}

// Not by the registered propagator: an application may have registered none, or one of another format, on either side.
export function formatSpanContext({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = traceState?.serialize();
  return tracestate === undefined || tracestate === '' ? { traceparent } : { traceparent, tracestate };
}

export function toSpanContext(
  { traceparent, tracestate }: TraceContext,
  { createTraceState, isSpanContextValid }: Api,
): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = written.exec(traceparent) ?? [];
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(context) ? context : undefined;
}
