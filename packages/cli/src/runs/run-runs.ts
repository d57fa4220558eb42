import { listRuns } from '@art/journal';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { openJournal } from '../connection/open-journal.ts';
import { runReport, type RunReport } from './run-report.ts';
import type { RunsOptions } from '../commands/runs-command.ts';
import { tellUnreadable } from './tell-unreadable.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { formatTable } from '../terminal/format-table.ts';

/**
 * `art runs`: lists the runs of a journal, the oldest first.
 * @returns the exit code
 */
export function runRuns(options: RunsOptions, context: CliContext): Promise<number> {
  return interruptible(context, ({ signal }) => listAll(options, context, signal));
}

async function listAll(options: RunsOptions, context: CliContext, signal: AbortSignal): Promise<number> {
  await using opened = await openJournal(options.journal, options.endpoint, context);
  const reports: RunReport[] = [];
  const runs = await listRuns(opened.journal, { signal });
  for (const run of runs) {
    if ('error' in run) {
      tellUnreadable(run, context);
      continue;
    }
    reports.push(runReport(run, await opened.files?.bytesOf(run.runId)));
  }
  if (options.json) for (const report of reports) context.stdout.write(plainJson(report));
  else if (reports.length > 0) context.stdout.write(formatRuns(reports));
  else context.stderr.write(`No runs in ${opened.where}. Name another place with --journal.\n`);
  return runs.length === reports.length ? exitCodes.ok : exitCodes.infrastructure;
}

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
function formatRuns(runs: readonly RunReport[]): string {
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
