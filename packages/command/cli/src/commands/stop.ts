import { openSessions, readRun, type RunSummary } from '@art/journal';
import { ArtError } from '@art/ground';
import { stopRun } from '@art/rollout';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { endpointOption, journalOption, qualifierOption } from '../arguments/shared-options.ts';
import { filledArgument, runArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { createTargetRuntime } from '../connection/create-rollout-client.ts';
import { openJournal } from '../connection/open-journal.ts';
import { readableRuns } from '../connection/readable-runs.ts';
import { findRunTarget } from '../connection/run-target.ts';
import { exitCodes } from '../exit-codes.ts';
import { isUsageError, reportError } from '../report-error.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { printableText } from '../terminal/printable-text.ts';

const examples = `
Examples:
  $ art stop step-17 --dry-run           which sessions may still live?
  $ art stop step-17
  $ art stop --all                       those of every run of the journal
  $ art stop --all --journal s3://my-bucket --json

AgentCore has no list of sessions: a session whose id is lost lives, and
bills, until it times out. The journal has the ids.
A run can be resumed afterwards; what was stopped then runs again in new
sessions. A run that a process works on is refused: end that process, or add
--force.
Exit codes: 0 every session is gone; 2 wrong usage; 3 one may still live, or
the run is held or unknown.`;

function declared() {
  return new Command('stop')
    .description('Stops every session that the journal knows and has not seen end, and records it.')
    .argument('[run]', 'its id, as "art runs" prints it', runArgument)
    .option('--all', 'all runs of the journal', false)
    .option('--dry-run', 'only tell what would be stopped', false)
    .option('--force', 'also the sessions of a run that a process works on', false)
    .addOption(journalOption())
    .option('--arn <arn>', 'runtime on AgentCore (default: that of the run)', filledArgument)
    .addOption(qualifierOption())
    .addOption(endpointOption())
    .option('--json', 'write one JSON object a session', false)
    .addHelpText('after', examples);
}

/** Without a run all of the journal are meant. */
export type StopOptions = Omit<OptionsOf<typeof declared>, 'all'> & {
  run: string | undefined;
};

/** The command line of `art stop`. */
export function stopCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runStop);
  return declared().action(async (id, { all, ...flags }, command) => {
    if (all === (id !== undefined)) command.error('error: Expected a run or --all, and not both.');
    await run({ ...flags, run: id });
  });
}

type SessionResult = 'stopped' | 'not_found' | 'failed' | 'would_stop';

/** Report of `art stop` about a session, with `--json` an object a line. */
interface SessionReport {
  runId: string;
  item: string;
  sessionId: string;
  result: SessionResult;
}

const words: Record<SessionResult, string> = {
  stopped: 'stopped',
  not_found: 'had ended already',
  failed: 'could not be stopped',
  would_stop: 'would be stopped',
};

/**
 * `art stop`: stops every session that the journal knows and has not seen end.
 * @param makeRuntime what sessions run on @default the AWS SDK
 * @returns the exit code: 0 where every session is certainly gone
 * @throws ArtError where the run is unknown, is held, or its runtime cannot be found
 */
export function runStop(
  options: StopOptions,
  context: CliContext,
  makeRuntime: typeof createTargetRuntime = createTargetRuntime,
): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { stderr } = context;
    await using opened = await openJournal(options.journal, options.endpoint, context);
    const { journal } = opened;
    const tell = eventWriter<SessionReport>(
      context,
      options.json,
      ({ runId, item, sessionId, result }) =>
        `${runId}  item ${item}  session ${sessionId}  ${words[result]}\n`,
    );
    const stop = async (run: RunSummary): Promise<'stopped' | 'failed'> => {
      refuseHeld(run, options);
      const { runId } = run;
      if (run.openSessions === 0) {
        stderr.write(`Run ${runId}: no session that may live.\n`);
        return 'stopped';
      }
      if (options.dryRun) {
        for (const { sessionId, item } of await openSessions(journal, runId, { signal }))
          tell({ runId, item, sessionId, result: 'would_stop' });
        return 'stopped';
      }
      const target = await findRunTarget(run, options, context, signal);
      const runtime = makeRuntime(target, options.qualifier);
      try {
        const { stopped, notFound, failed } = await stopRun(journal, runId, {
          runtime,
          evenIfHeld: options.force,
          signal,
          onStopped: ({ sessionId, item }, result) => tell({ runId, item, sessionId, result }),
          onWarning: (message) => void stderr.write(`${printableText(message)}\n`),
        });
        const resume = run.isFinished ? '' : ` "art resume ${runId}" continues with it.`;
        stderr.write(
          `Run ${runId}: ${stopped} stopped, ${notFound} had ended already, ${failed} could not be stopped.${resume}\n`,
        );
        return failed === 0 ? 'stopped' : 'failed';
      } finally {
        await runtime.close?.();
      }
    };
    if (options.run !== undefined) {
      const outcome = await stop(await readRun(journal, options.run, { signal }));
      return outcome === 'stopped' ? exitCodes.ok : exitCodes.infrastructure;
    }
    const { runs, areAll } = await readableRuns(journal, context, signal);
    const live = runs.filter((run) => run.openSessions > 0);
    if (live.length === 0) stderr.write(`No run in ${opened.where} has a session that may live.\n`);
    let code: number = areAll ? exitCodes.ok : exitCodes.infrastructure;
    for (const run of live) {
      signal.throwIfAborted();
      try {
        if ((await stop(run)) === 'failed') code = exitCodes.infrastructure;
      } catch (error) {
        signal.throwIfAborted();
        // One run that cannot be stopped must not keep the others alive.
        const failed = reportError(error, context, options.json);
        if (code === exitCodes.ok || isUsageError(error)) code = failed;
      }
    }
    return code;
  });
}

/** Comes before anything is looked for, with what to do about it. */
function refuseHeld({ runId, heldBy }: RunSummary, { force, dryRun }: StopOptions): void {
  if (heldBy?.state !== 'alive' || force || dryRun) return;
  const { pid, host } = heldBy.holder;
  throw new ArtError({
    code: 'ART_JOURNAL_LOCKED',
    message: `Run ${JSON.stringify(runId)} is being worked on by process ${pid} on ${host}, which would take stopped sessions for lost and start others. End that process first (Ctrl-C stops its sessions), or add --force.`,
  });
}
