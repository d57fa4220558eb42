import { newRunId, readRun } from '@art/journal';
import { readPayloadList } from '../arguments/read-payload-list.ts';
import type { CliContext } from '../cli-context.ts';
import { batchLagBoundMs, createRolloutClient } from '../connection/create-rollout-client.ts';
import { findInvokeTarget } from '../connection/invoke-target.ts';
import { openJournal } from '../connection/open-journal.ts';
import { interruptible, type Interrupts } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import type { BatchRunOptions } from '../commands/invoke-command.ts';
import { checkOutputFile, openResultOutput } from './result-output.ts';
import { deliverRun } from './deliver-run.ts';
import { itemLine } from './result-line.ts';
import { RunReporter } from './run-reporter.ts';

/**
 * `art invoke --payloads`: runs a batch and writes an outcome a line, with a journal where one is asked for. Ctrl-C stops its
 * sessions.
 * @param connect makes the client @default the AWS SDKs
 * @returns the exit code
 * @throws ArtError for input that cannot be sent, and where there is nothing to send it to
 */
export function runBatch(
  options: BatchRunOptions,
  context: CliContext,
  connect: typeof createRolloutClient = createRolloutClient,
): Promise<number> {
  return interruptible(context, (interrupts) => sendAll(options, context, connect, interrupts));
}

async function sendAll(
  options: BatchRunOptions,
  context: CliContext,
  connect: typeof createRolloutClient,
  interrupts: Interrupts,
): Promise<number> {
  const { signal } = interrupts;
  checkOutputFile(options, context.cwd);
  const progress = new ProgressLine(context.stderr);
  const note = (message: string): void => progress.note(message);
  const runId = options.run ?? newRunId();
  const payloads = await readPayloadList(options.payloads, context, signal);
  const target = await findInvokeTarget(options, context, signal);
  await using opened = options.journal && (await openJournal(options.journal, options.endpoint, context));
  await using output = await openResultOutput(options.out, runId, context, note);
  const settings = { ...options, extraConfig: options.set, lagBoundMs: batchLagBoundMs };
  await using connected = connect(target, settings, note);
  const journal = opened?.journal;
  if (opened !== undefined) note(`Run ${runId} of ${payloads.length} payloads, recorded in ${opened.where}.`);
  const reporter = new RunReporter(runId, progress, { total: payloads.length, earlier: 0 });
  const items = connected.client.runBatch(payloads, {
    maxConcurrentSessions: options.concurrency,
    timeoutMs: options.timeoutMs,
    maxFailures: options.maxFailures,
    journal: journal && { journal, runId },
    signal,
    onProgress: (now) => reporter.progress(now.done, now),
    onEvent: (event) => reporter.event(event),
  });
  return await deliverRun(
    {
      runId,
      items,
      output,
      lineOf: (item) => itemLine(item, runId, target.bucket),
      add: (tally, item) => {
        tally.addItem(item);
        reporter.item(item);
      },
      progress,
      interrupts,
      readRun: journal && (() => readRun(journal, runId)),
    },
    context,
  );
}
