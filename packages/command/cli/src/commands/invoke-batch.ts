import { newRunId, readRun } from '@art/journal';
import { readPayloadList } from '../arguments/read-payload-list.ts';
import type { CliContext } from '../cli-context.ts';
import { createRolloutClient } from '../connection/create-rollout-client.ts';
import { namedGateway } from '../connection/named-gateway.ts';
import { openRunBudget, spendingFile } from '../connection/open-run-budget.ts';
import { findInvokeTarget } from '../connection/invoke-target.ts';
import { openJournal } from '../connection/open-journal.ts';
import { isCeiling } from '../exit-codes.ts';
import { deliverRun } from '../invoke/deliver-run.ts';
import type { BatchRunOptions } from '../invoke/invoke-options.ts';
import { resultRecord } from '../invoke/result-record.ts';
import { checkOutputFile, openResultOutput } from '../invoke/result-output.ts';
import { RunReporter } from '../invoke/run-reporter.ts';
import { interruptible } from '../terminal/interrupts.ts';

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
  return interruptible(context, async ({ signal }) => {
    checkOutputFile(options, context.cwd);
    const runId = options.run ?? newRunId();
    const payloads = await readPayloadList(options.payloads, context, signal);
    const reporter = new RunReporter(runId, context.stderr);
    const note = (message: string): void => reporter.note(message);
    const target = await findInvokeTarget(options, context, signal);
    await using opened = options.journal && (await openJournal(options.journal, options.endpoint, context));
    await using output = await openResultOutput(options.out, runId, context, note);
    const named = await namedGateway(options, context);
    const budget = openRunBudget(options, context.cwd, named !== undefined, spendingFile(opened, runId));
    const gateway = named && { ...named, budget };
    await using connected = connect(target, { ...options, gateway }, note);
    const journal = opened?.journal;
    if (opened !== undefined)
      note(`Run ${runId} of ${payloads.length} payloads, recorded in ${opened.where}.`);
    const items = connected.client.runBatch(payloads, {
      maxConcurrentSessions: options.concurrency,
      timeoutMs: options.timeoutMs,
      maxFailures: options.maxFailures,
      journal: journal && { journal, runId },
      signal,
      onProgress: (progress) => reporter.progress(progress),
      onEvent: (event) => reporter.event(event),
    });
    return await deliverRun(
      {
        items,
        output,
        recordOf: async (item) => {
          const captured = gateway && (await item.trajectory().catch(() => undefined));
          return resultRecord(item, runId, target.bucket, captured?.summary);
        },
        kind: 'batch',
        isCutOff: ({ outcome }) => isCeiling(outcome),
        onItem: (item) => reporter.item(item),
        reporter,
        signal,
        readRun: journal && (() => readRun(journal, runId)),
      },
      context,
    );
  });
}
