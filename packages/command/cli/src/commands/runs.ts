import type { HeldBy, RunSummary } from '@art/journal';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { endpointOption, journalOption } from '../arguments/shared-options.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { openJournal } from '../connection/open-journal.ts';
import { readableRuns } from '../connection/readable-runs.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { formatTable, right } from '../terminal/format-table.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { printedJson } from '../terminal/printed-json.ts';

const examples = `
Examples:
  $ art runs
      the runs of .art/runs, here or in a folder above
  $ art runs --journal s3://my-bucket
      those that are recorded in a bucket
  $ art runs --json | jq -r 'select(.state == "open") | .runId'

TOTAL and DONE count payloads, or groups; OK and FAILED rollouts, retries
among them; OPEN sessions that have not been seen to end, for which
AgentCore may still bill. STATE is "finished", "held" (a process works on
it) or "open": resume or stop it.
Exit codes: 0 listed; 2 wrong usage; 3 the journal, or one of its runs,
cannot be read.`;

function declared() {
  return new Command('runs')
    .description(
      'Lists the runs of a journal, the oldest first: how far they are, who holds them, what is still open.',
    )
    .addOption(journalOption())
    .addOption(endpointOption())
    .option('--json', 'write one JSON object a run', false)
    .addHelpText('after', examples);
}

export type RunsOptions = OptionsOf<typeof declared>;

/** The command line of `art runs`. */
export function runsCommand(bind: Bind): CommandUnknownOpts {
  return declared().action(bind(runRuns));
}

/**
 * `art runs`: lists the runs of a journal, the oldest first.
 * @returns the exit code
 */
export function runRuns({ journal, endpoint, json }: RunsOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { stdout, stderr } = context;
    await using opened = await openJournal(journal, endpoint, context);
    const { runs, areAll } = await readableRuns(opened.journal, context, signal);
    const reports: RunReport[] = [];
    for (const run of runs) reports.push(runReport(run, await opened.files?.bytesOf(run.runId)));
    if (json) for (const report of reports) stdout.write(printedJson(report));
    else if (reports.length > 0) stdout.write(formatRuns(reports));
    else stderr.write(`No runs in ${opened.where}. Name another place with --journal.\n`);
    return areAll ? exitCodes.ok : exitCodes.infrastructure;
  });
}

/** Runs as people read them, the oldest first. */
function formatRuns(runs: readonly RunReport[]): string {
  return formatTable(
    [
      'RUN',
      'STATE',
      'KIND',
      'CREATED (UTC)',
      ...['TOTAL', 'DONE', 'OK', 'FAILED', 'OPEN', 'SIZE'].map(right),
      'HOLDER',
    ],
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

/** Line of `art runs --json` about a run. */
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
  /** Number of rollouts, retries and replacements among them. */
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
    total: run.itemCount ?? null,
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
