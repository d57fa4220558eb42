import type { RoundEvidence } from './round-evidence.ts';

/** Everything that is known of one payload, in the order in which it happened. */
export function timelineOf(n: number, { lines, handlerRuns, log, faults }: RoundEvidence): string {
  const sessions = new Set([
    ...lines.flatMap((line) => (line.event === 'yielded' && line.n === n ? [line.sessionId] : [])),
    ...handlerRuns.filter((run) => run.n === n).map((run) => run.sessionId),
  ]);
  const events = [
    ...lines
      .filter((line) => ('n' in line ? line.n === n : true))
      .map(({ atMs, ...rest }) => ({ atMs, who: 'client', rest })),
    ...handlerRuns.filter((run) => run.n === n).map(({ atMs, ...rest }) => ({ atMs, who: 'handler', rest })),
    ...log
      .filter((entry) => 'sessionId' in entry && sessions.has(entry.sessionId ?? ''))
      .map(({ atMs, ...rest }) => ({ atMs, who: 'endpoint', rest })),
    ...faults
      .filter((fault) => sessions.has(fault.sessionId ?? ''))
      .map(({ atMs, ...rest }) => ({ atMs, who: 'fault', rest })),
  ].toSorted((a, b) => a.atMs - b.atMs);
  const [first] = events;
  return events
    .map(
      ({ atMs, who, rest }) =>
        `  ${String(atMs - (first?.atMs ?? 0)).padStart(7)} ms  ${who.padEnd(8)}  ${JSON.stringify(rest)}`,
    )
    .join('\n');
}
