import type { LiveSample } from '@art/eval/records';
import type { SampleRow } from '../../report/sample-row.ts';

/** State of a session: waits to be accepted, works, has stored a result that nobody has seen yet, waits to be stopped. */
export type Phase = 'waiting' | 'working' | 'noticing' | 'stopping' | 'lost';

export interface Bar {
  phase: Phase;
  fromMs: number;
  toMs: number;
}

/** A line of the timeline: a sample with all its attempts. Times in milliseconds since the run began. */
export interface TimelineLine {
  name: string;
  /** Position of the sample; undefined for one under way. */
  at: number | undefined;
  bars: Bar[];
  fromMs: number;
  toMs: number;
  /** When the service refused calls. */
  throttledMs: number[];
  hasFailed: boolean;
  isStraggler: boolean;
  retries: number;
}

export function timelineLines(
  rows: readonly SampleRow[],
  live: readonly LiveSample[],
  { startMs, nowMs, limitMs }: { startMs: number; nowMs: number; limitMs: number | undefined },
): TimelineLine[] {
  const lines = rows.flatMap((row) => lineOf(row, startMs, limitMs) ?? []);
  for (const sample of live) lines.push(liveLine(sample, startMs, nowMs));
  return lines.toSorted((a, b) => a.fromMs - b.fromMs);
}

function lineOf(row: SampleRow, startMs: number, limitMs: number | undefined): TimelineLine | undefined {
  if (row.submittedAtMs === null) return undefined;
  const bars: Bar[] = [];
  for (const attempt of row.attempts.slice(0, -1)) {
    if (attempt.submittedAtMs === null || attempt.settledMs === null) continue;
    const fromMs = attempt.submittedAtMs - startMs;
    bars.push({ phase: 'lost', fromMs, toMs: fromMs + attempt.settledMs });
  }
  const submittedMs = row.submittedAtMs - startMs;
  const endMs = row.settledMs ?? row.latencyMs ?? row.noticedMs ?? row.acceptedMs ?? 0;
  const bounds: [Phase, number | null][] = [
    ['waiting', row.acceptedMs],
    ['working', row.storedMs ?? row.noticedMs ?? endMs],
    ['noticing', row.noticedMs],
    ['stopping', row.stoppedMs],
  ];
  let fromMs = 0;
  for (const [phase, toMs] of bounds) {
    if (toMs === null || toMs <= fromMs) continue;
    bars.push({ phase, fromMs: submittedMs + fromMs, toMs: submittedMs + toMs });
    fromMs = toMs;
  }
  const throttledMs = row.attempts
    .filter(({ throttled, submittedAtMs }) => throttled > 0 && submittedAtMs !== null)
    .map(({ submittedAtMs }) => submittedAtMs! - startMs);
  return {
    name: `${row.taskId}#${row.sample}`,
    at: row.at,
    bars,
    fromMs: bars[0]?.fromMs ?? submittedMs,
    toMs: bars.at(-1)?.toMs ?? submittedMs,
    throttledMs,
    hasFailed: row.outcome !== 'ok',
    isStraggler: limitMs !== undefined && row.latencyMs !== null && row.latencyMs > limitMs,
    retries: row.attempts.length - 1,
  };
}

function liveLine(sample: LiveSample, startMs: number, nowMs: number): TimelineLine {
  const fromMs = sample.submittedAtMs - startMs;
  const toMs = Math.max(fromMs, nowMs - startMs);
  const { acceptedMs } = sample;
  const bars: Bar[] =
    acceptedMs === null
      ? [{ phase: 'waiting', fromMs, toMs }]
      : [
          { phase: 'waiting', fromMs, toMs: fromMs + acceptedMs },
          { phase: 'working', fromMs: fromMs + acceptedMs, toMs },
        ];
  return {
    name: `${sample.taskId}#${sample.sample}`,
    at: undefined,
    bars,
    fromMs,
    toMs,
    throttledMs: [],
    hasFailed: false,
    isStraggler: false,
    retries: sample.attempt,
  };
}

/**
 * Picks lines where there are more than pixels: for each pixel the one that matters most: failed, then a straggler, then tried again, then
 * the longest.
 */
export function mostTelling(lines: readonly TimelineLine[], most: number): readonly TimelineLine[] {
  if (lines.length <= most) return lines;
  const weight = (line: TimelineLine): number =>
    (line.hasFailed ? 4e12 : 0) +
    (line.isStraggler ? 2e12 : 0) +
    (line.retries > 0 || line.throttledMs.length > 0 ? 1e12 : 0) +
    (line.toMs - line.fromMs);
  return Array.from({ length: most }, (_, pixel) => {
    const from = Math.floor((pixel * lines.length) / most);
    const to = Math.floor(((pixel + 1) * lines.length) / most);
    return lines.slice(from, to).reduce((a, b) => (weight(b) > weight(a) ? b : a));
  });
}
