import { toCompactTraces, toTraceRecord, type Trace } from '@art/trajectories';
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
