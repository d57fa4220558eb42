import { toCompactTraces } from '../trace/compact-traces.ts';
import { toTraceRecord } from '../trace/trace-record.ts';
import type { Trace } from '../trace/trace.ts';
import { InvalidField } from './invalid-field.ts';

/**
 * Traces as JSON text.
 * @param format `compact` sends each trace as what it adds to an earlier one; nothing sends them whole
 * @throws InvalidField
 */
export function traceList(traces: readonly Trace[], format: unknown): string {
  if (format === 'compact') return toCompactTraces(traces);
  if (format === undefined || format === 'full') return `[${traces.map(toTraceRecord).join(',')}]`;
  throw new InvalidField('format', 'full or compact', format);
}
