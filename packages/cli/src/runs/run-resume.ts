import type { BatchItem, Group, RolloutEvent } from '@art/client';
import { readRun } from '@art/journal';
import { readPayloadList } from '../arguments/read-payload-list.ts';
import { checkOutputFile, openResultOutput } from '../batch/result-output.ts';
import { deliverRun } from '../batch/deliver-run.ts';
import { groupLine, itemLine } from '../batch/result-line.ts';
import { RunReporter } from '../batch/run-reporter.ts';
import type { RunTally } from '../batch/run-tally.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { batchLagBoundMs, createRolloutClient } from '../connection/create-rollout-client.ts';
import { interruptible, type Interrupts } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { openJournal } from '../connection/open-journal.ts';
import type { ResumeRunOptions } from '../commands/resume-command.ts';
import { findRunTarget } from './run-target.ts';

/**
 * `art resume`: goes on with a run that an earlier process began, and writes a line for every item that was not dealt with.
 * @param connect makes the client @default the AWS SDKs
 * @returns the exit code
 * @throws ArtError where the run cannot be resumed: it is held, unknown, or its payloads have changed
 */
export function runResume(
  options: ResumeRunOptions,
  context: CliContext,
  connect: typeof createRolloutClient = createRolloutClient,
): Promise<number> {
  return interruptible(context, (interrupts) => resume(options, context, connect, interrupts));
}

async function resume(
  options: ResumeRunOptions,
  context: CliContext,
  connect: typeof createRolloutClient,
  interrupts: Interrupts,
): Promise<number> {
  const { signal } = interrupts;
  checkOutputFile(options, context.cwd);
  await using opened = await openJournal(options.journal, options.endpoint, context);
  const run = await readRun(opened.journal, options.run, { signal });
  const progress = new ProgressLine(context.stderr);
  if (run.isFinished) {
    progress.note(`Run ${run.runId} is finished; all of its items were dealt with.`);
    return exitCodes.ok;
  }
  const payloads = await readPayloadList(options.payloads, context, signal);
  const target = await findRunTarget(run, options, context, signal);
  const note = (message: string): void => progress.note(message);
  await using output = await openResultOutput(options.out, run.runId, context, note);
  const { qualifier, baseUrl, modelId, set, storeCheck } = options;
  const settings = {
    qualifier,
    baseUrl,
    modelId,
    storeCheck,
    extraConfig: set,
    expId: run.expId,
    lagBoundMs: batchLagBoundMs,
  };
  await using connected = connect(target, settings, note);
  const { journal } = opened;
  const place = { journal, runId: run.runId };
  const reporter = new RunReporter(run.runId, progress, {
    total: run.payloadCount ?? payloads.length,
    earlier: run.acknowledged,
  });
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
    runId: run.runId,
    output,
    progress,
    interrupts,
    readRun: () => readRun(journal, run.runId),
  };
  if (run.kind === 'groups') {
    const items = connected.client.resumeGroups(place, payloads, {
      ...shared,
      onProgress: ({ settled, rollouts }) =>
        reporter.progress(settled.complete + settled.degraded + settled.failed, rollouts),
    });
    const lineOf = (group: Group): string => groupLine(group, run.runId, run.bucket);
    return await deliverRun({ ...delivery, items, lineOf, add: addGroup }, context);
  }
  const items = connected.client.resume(place, payloads, {
    ...shared,
    onProgress: (now) => reporter.progress(now.done, now),
  });
  const lineOf = (item: BatchItem): string => itemLine(item, run.runId, run.bucket);
  const add = (tally: RunTally, item: BatchItem): void => {
    tally.addItem(item);
    reporter.item(item);
  };
  return await deliverRun({ ...delivery, items, lineOf, add }, context);
}

function addGroup(tally: RunTally, group: Group): void {
  tally.addGroup(group);
}
