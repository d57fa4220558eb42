import { formatBytes } from '../terminal/format-bytes.ts';
import { formatTable } from '../terminal/format-table.ts';
import type { RunReport } from './run-report.ts';

const columns = [
  { title: 'RUN' },
  { title: 'STATE' },
  { title: 'KIND' },
  { title: 'CREATED (UTC)' },
  { title: 'TOTAL', align: 'right' },
  { title: 'DONE', align: 'right' },
  { title: 'OK', align: 'right' },
  { title: 'FAILED', align: 'right' },
  { title: 'OPEN', align: 'right' },
  { title: 'SIZE', align: 'right' },
  { title: 'HOLDER' },
] as const;

/** Runs as people read them, the oldest first. */
export function formatRuns(runs: readonly RunReport[]): string {
  return formatTable(
    columns,
    runs.map((run) => [
      run.runId,
      run.state,
      run.kind,
      new Date(run.createdAtMs).toISOString().slice(0, 19).replace('T', ' '),
      run.total === null ? '?' : String(run.total),
      String(run.done),
      String(run.ok),
      String(run.failed),
      String(run.openSessions),
      run.sizeBytes === null ? '-' : formatBytes(run.sizeBytes),
      formatHolder(run.holder),
    ]),
  );
}

function formatHolder(holder: RunReport['holder']): string {
  if (holder === null) return '-';
  const who = `${holder.pid}@${holder.host}`;
  return { alive: who, dead: `${who} (died)`, unknown: `${who} (not seen from here)` }[holder.state];
}
