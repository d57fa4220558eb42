import { ArtError, describeValue } from '@art/protocol';
import type { NewTrace, TraceRange } from './trace-store.ts';

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkSessionId(sessionId: unknown): void {
  if (typeof sessionId === 'string' && sessionId !== '' && sessionId.isWellFormed()) return;
  refuse('sessionId', 'non-empty, well-formed text', sessionId);
}

/**
 * Refuses what could not be found again.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkTraces(traces: readonly NewTrace[]): void {
  for (const trace of traces) {
    checkSessionId(trace.sessionId);
    if (typeof trace.traceId !== 'string' || trace.traceId === '') {
      refuse('traceId', 'non-empty text', trace.traceId);
    }
  }
}

/**
 * The range in whole milliseconds. Store times are whole too, so that a fraction must not hide what was stored in the
 * millisecond that it falls into.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkRange(range: TraceRange): { sinceMs: number; limit: number } {
  const { sinceMs = Number.NEGATIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = range;
  if (typeof sinceMs !== 'number' || Number.isNaN(sinceMs)) refuse('sinceMs', 'a time', sinceMs);
  if (typeof limit !== 'number' || !(limit >= 0)) refuse('limit', 'a number from 0', limit);
  return { sinceMs: Math.floor(sinceMs), limit };
}

function refuse(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${name} to be ${expected}, got ${describeValue(got)}.`,
  });
}

/** @throws ArtError `ART_CLOSED` */
export function refuseClosed(): never {
  throw new ArtError({
    code: 'ART_CLOSED',
    message: 'The trace store was closed. Open another one.',
  });
}
