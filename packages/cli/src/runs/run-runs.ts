import { listRuns } from '@art/journal';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { formatRuns } from './format-runs.ts';
import { openJournal } from '../connection/open-journal.ts';
import { runReport, type RunReport } from './run-report.ts';
import type { RunsOptions } from '../commands/runs-command.ts';
import { tellUnreadable } from './tell-unreadable.ts';

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
