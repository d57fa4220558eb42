import { type HeldBy, listRuns, type RunSummary } from '@art/journal';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { openJournal } from '../connection/open-journal.ts';
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

/** Where a run stands. `held`: another process works on it, or may; `open`: it can be resumed. */
type RunState = 'finished' | 'held' | 'open';

/** What `art runs --json` tells of a run, as one line. */
export interface RunReport {
  runId: string;
  state: RunState;
  kind: RunSummary['kind'];
  createdAtMs: number;
  lastAtMs: number;
  /** Payloads, or inputs of groups; null where nobody has seen the end of their source. */
  total: number | null;
  /** Items that consumers were done with. */
  done: number;
  /** Of rollouts, retries and replacements among them. */
  ok: number;
  /** Without those that were called off. */
  failed: number;
  openSessions: number;
  agentRuntimeArn: string | null;
  /** Null where results come from sessions, as `bucket`. */
  expId: string | null;
  bucket: string | null;
  /** The process that has the run, or that died with it. */
  holder: { pid: number; host: string; state: HeldBy['state'] } | null;
  /** Null where the journal is in a store. */
  sizeBytes: number | null;
}

function runReport(run: RunSummary, sizeBytes: number | undefined): RunReport {
  const { ok = 0, cancelled: _, ...others } = run.rollouts.settled;
  const { heldBy } = run;
  return {
    runId: run.runId,
    state: stateOf(run),
    kind: run.kind,
    createdAtMs: run.createdAtMs,
    lastAtMs: run.lastAtMs,
    total: run.payloadCount ?? null,
    done: run.acknowledged,
    ok,
    failed: Object.values(others).reduce((sum, count) => sum + count, 0),
    openSessions: run.openSessions,
    agentRuntimeArn: run.agentRuntimeArn ?? null,
    expId: run.expId ?? null,
    bucket: run.bucket ?? null,
    holder:
      heldBy === undefined ? null : { pid: heldBy.holder.pid, host: heldBy.holder.host, state: heldBy.state },
    sizeBytes: sizeBytes ?? null,
  };
}

function stateOf({ isFinished, heldBy }: RunSummary): RunState {
  if (heldBy !== undefined && heldBy.state !== 'dead') return 'held';
  return isFinished ? 'finished' : 'open';
}
