export { attributeNames, eventNames, spanNames } from './names.ts';
export { flushSpans, telemetryReady } from './open-telemetry.ts';
export {
  incomingContext,
  type SpanAttributes,
  type SpanStart,
  startSpan,
  type TelemetrySpan,
} from './start-span.ts';
export { isSameTrace, readTraceContext, type TraceContext } from './trace-context.ts';
