import type { BatchItem, Group, RolloutEvent } from '@art/client';
import { readRun } from '@art/journal';
import type { GroupRecord, RolloutRecord } from '@art/trajectories';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ceilingOption, pricesOption, sampleCeilingOption } from '../arguments/ceiling-options.ts';
import { countArgument, durationArgument, failuresArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { readPayloadList } from '../arguments/read-payload-list.ts';
import { endpointOption, journalOption, qualifierOption, setOption } from '../arguments/shared-options.ts';
import { filledArgument, runArgument, urlArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { createRolloutClient } from '../connection/create-rollout-client.ts';
import { namedGateway } from '../connection/named-gateway.ts';
import { openRunBudget, spendingFile } from '../connection/open-run-budget.ts';
import { openJournal } from '../connection/open-journal.ts';
import { findRunTarget } from '../connection/run-target.ts';
import { exitCodes, isCeiling } from '../exit-codes.ts';
import { deliverRun } from '../invoke/deliver-run.ts';
import { resultGroupRecord, resultRecord } from '../invoke/result-record.ts';
import { checkOutputFile, openResultOutput } from '../invoke/result-output.ts';
import { RunReporter } from '../invoke/run-reporter.ts';
import { interruptible } from '../terminal/interrupts.ts';

const examples = `
Examples:
  $ art runs
      which run is open?
  $ art resume 20260131-120000-3f9a1c --payloads problems.jsonl \\
      --out results.jsonl
  $ art resume step-17 --payloads problems.jsonl \\
      --base-url http://127.0.0.1:8000/v1 --model-id qwen
  $ art resume step-17 --payloads problems.jsonl --journal s3://my-bucket \\
      --concurrency 16

The command compares journal and store first. It takes results that have
arrived, waits for live sessions, and runs only what is missing or lost.
Give the payloads of the start, in the same order: an item is known by its
position, and a payload that differs is named. A journal keeps no config,
because a config may hold secrets: give --base-url or --gateway, --model-id,
--set and the ceilings as at the start. What the run has spent counts. With
--out nothing is lost or written twice, whatever is killed: a line is on the
disk before the journal marks its item as done, and a line that is there
already is not written again.
Exit codes: 0 finished, all ok; 2 wrong usage, or other payloads; 3 another
process holds the run, no agent to send to, a store that cannot be read, or
a run that its failures ended; 16 some rollouts are not ok; 130 Ctrl-C,
which stops the sessions.`;

function declared() {
  return new Command('resume')
    .description(
      'Continues a run of a journal, from any process or machine, and writes one JSON line an item.',
    )
    .argument('<run>', 'its id, as "art runs" prints it', runArgument)
    .requiredOption(
      '--payloads <file>',
      'payloads of the run: JSON lines or an array; - reads stdin',
      filledArgument,
    )
    .addOption(journalOption())
    .option('--out <file>', 'append the lines to this file (default: stdout)', filledArgument)
    .option('--arn <arn>', 'runtime on AgentCore (default: that of the run)', filledArgument)
    .addOption(qualifierOption())
    .addOption(endpointOption())
    .option('--concurrency <count>', 'most sessions at once (default: as before)', countArgument(100_000))
    .option(
      '--max-failures <limit>',
      'end the run when more fail: a count, a share like 20%, or none (default: as before)',
      failuresArgument,
    )
    .option('--no-store-check', 'do not check first whether results can be read')
    .option('--timeout-ms <ms>', 'longest time of a rollout (default: as before)', durationArgument)
    .option('--base-url <url>', 'OpenAI-compatible endpoint for the agent', urlArgument)
    .option('--model-id <id>', 'model at that endpoint', filledArgument)
    .option('--gateway <url>', 'gateway that runs and captures, in place of --base-url', urlArgument)
    .addOption(setOption())
    .addOption(ceilingOption())
    .addOption(sampleCeilingOption('rollout'))
    .addOption(pricesOption())
    .addHelpText('after', examples);
}

export type ResumeRunOptions = OptionsOf<typeof declared> & { run: string };

/** The command line of `art resume`. */
export function resumeCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runResume);
  return declared().action((id, flags) => run({ ...flags, run: id }));
}

/**
 * `art resume`: continues with a run that an earlier process began, and writes a line for every item that was not dealt with.
 * @param connect makes the client @default the AWS SDKs
 * @returns the exit code
 * @throws ArtError where the run cannot be resumed: it is held, unknown, or its payloads have changed
 */
export function runResume(
  options: ResumeRunOptions,
  context: CliContext,
  connect: typeof createRolloutClient = createRolloutClient,
): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    checkOutputFile(options, context.cwd);
    await using opened = await openJournal(options.journal, options.endpoint, context);
    const run = await readRun(opened.journal, options.run, { signal });
    const payloads = await readPayloadList(options.payloads, context, signal);
    if (run.isFinished && payloads.length <= run.acknowledged) {
      context.stderr.write(`Run ${run.runId} is finished; all of its items were dealt with.\n`);
      return exitCodes.ok;
    }
    const reporter = new RunReporter(run.runId, context.stderr);
    const note = (message: string): void => reporter.note(message);
    const target = await findRunTarget(run, options, context, signal);
    await using output = await openResultOutput(options.out, run.runId, context, note);
    const named = await namedGateway(options, context);
    const file = spendingFile(opened, run.runId);
    const budget = openRunBudget(options, context.cwd, named !== undefined, file);
    const gateway = named && { ...named, budget };
    await using connected = connect(target, { ...options, gateway, expId: run.expId }, note);
    const { journal } = opened;
    const place = { journal, runId: run.runId };
    const shared = {
      ...(options.concurrency !== undefined && { maxConcurrentSessions: options.concurrency }),
      timeoutMs: options.timeoutMs,
      maxFailures: options.maxFailures,
      // Whatever the program did that began the run: here an item is dealt with once its line is written.
      acknowledge: 'next',
      signal,
      onEvent: (event: RolloutEvent) => reporter.event(event),
    } as const;
    const delivery = {
      output,
      reporter,
      signal,
      readRun: () => readRun(journal, run.runId),
    };
    if (run.kind === 'groups') {
      const items = connected.client.resumeGroups(place, payloads, {
        ...shared,
        onProgress: (progress) => reporter.progress(progress),
      });
      const recordOf = (group: Group): GroupRecord => resultGroupRecord(group, run.runId, run.bucket);
      return await deliverRun({ ...delivery, kind: 'groups', items, recordOf }, context);
    }
    const items = connected.client.resume(place, payloads, {
      ...shared,
      onProgress: (progress) => reporter.progress(progress),
    });
    const recordOf = (item: BatchItem): RolloutRecord => resultRecord(item, run.runId, run.bucket);
    const onItem = (item: BatchItem): void => reporter.item(item);
    return await deliverRun(
      { ...delivery, kind: 'batch', items, recordOf, onItem, isCutOff: ({ outcome }) => isCeiling(outcome) },
      context,
    );
  });
}
