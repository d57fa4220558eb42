import { describeThrown } from '@art/ground';
import type { RolloutEvent } from '@art/client';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { checkReach } from '../arguments/reach-option.ts';
import { readPayload } from '../arguments/read-payload.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { createRolloutClient } from '../connection/create-rollout-client.ts';
import { namedGateway } from '../connection/named-gateway.ts';
import { openRunBudget } from '../connection/open-run-budget.ts';
import { findInvokeTarget } from '../connection/invoke-target.ts';
import { exitCodeOfOutcome, exitCodes, isCeiling } from '../exit-codes.ts';
import { declaredInvoke, type InvokeCommandOptions, misuseOfInvoke } from '../invoke/invoke-options.ts';
import {
  cancelledReport,
  capturedIn,
  formatInvokeReport,
  invokeReport,
  type InvokeReport,
} from '../invoke/invoke-report.ts';
import { isUsageError } from '../report-error.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { printableText } from '../terminal/printable-text.ts';
import { runBatch } from './invoke-batch.ts';

/** The command line of `art invoke`: one rollout, or with `--payloads` a batch. */
export function invokeCommand(bind: Bind): CommandUnknownOpts {
  const [runOne, runMany] = [bind(runInvoke), bind(runBatch)];
  return declaredInvoke().action(async (payload, flags, command) => {
    const wrong = misuseOfInvoke(payload, flags);
    if (wrong !== undefined) command.error(`error: ${wrong}`);
    checkReach({ ...flags, hasGateway: flags.gateway !== undefined, isAgentHere: false });
    const { payloads, concurrency = 8, out, journal, run, maxFailures, ...shared } = flags;
    if (payloads === undefined) return runOne({ ...shared, payload: payload! });
    const { json: _, sessionId: __, inputId: ___, ...ofBatch } = shared;
    return runMany({ ...ofBatch, payloads, concurrency, out, journal, run, maxFailures });
  });
}

/**
 * `art invoke`: sends one rollout and prints what became of it. Ctrl-C cancels it and stops its session.
 * @param connect makes the client @default the AWS SDKs
 * @returns the exit code
 * @throws ArtError for input that cannot be sent, and where there is nothing to send it to
 */
export async function runInvoke(
  options: InvokeCommandOptions,
  context: CliContext,
  connect: typeof createRolloutClient = createRolloutClient,
): Promise<number> {
  const notice = (message: string): void => {
    if (!options.json) context.stderr.write(`${printableText(message)}\n`);
  };
  const tell = eventWriter<InvokeReport>(context, options.json, formatInvokeReport);
  return interruptible(context, async (interrupts) => {
    const { signal } = interrupts;
    let { bucket } = options;
    let ids: { sessionId: string | null; inputId: string | null } = { sessionId: null, inputId: null };
    try {
      const payload = await readPayload(options.payload, context, signal);
      const target = await findInvokeTarget(options, context, signal);
      bucket = target.bucket;
      // It is waited for by a person.
      const named = await namedGateway(options, context);
      const budget = openRunBudget(options, context.cwd, named !== undefined);
      const gateway = named && { ...named, budget };
      await using connected = connect(target, { ...options, gateway, lagBoundMs: 200 }, notice);
      const [item] = await Array.fromAsync(
        connected.client.runBatch([payload], {
          maxConcurrentSessions: 1,
          timeoutMs: options.timeoutMs,
          // Anyone who sends one rollout by hand wants to see what becomes of that one.
          retry: { lost: 0, infra_error: 0, throttled: 0 },
          inputId: options.inputId === undefined ? undefined : () => options.inputId!,
          sessionId: options.sessionId === undefined ? undefined : () => options.sessionId!,
          signal,
          onEvent: (event) => {
            if (event.type === 'submitted') {
              ids = { sessionId: event.sessionId, inputId: event.inputId };
            }
            tellProgress(event, notice);
          },
        }),
      );
      if (item === undefined) throw new Error('The batch of one rollout ended without its outcome.');
      // Nothing was sent: the same to the user as an option that is wrong.
      if (item.outcome.kind === 'rejected' && isUsageError(item.outcome.error)) throw item.outcome.error;
      // Only what agents said at a gateway is captured.
      const captured = gateway && (await item.trajectory());
      tell({ ...invokeReport(item, bucket), ...(captured && { captured: capturedIn(captured) }) });
      if (isCeiling(item.outcome)) return exitCodes.ceiling;
      return item.outcome.kind === 'cancelled'
        ? (interrupts.exitCode ?? exitCodes.interrupted)
        : exitCodeOfOutcome(item.outcome.kind);
    } catch (error) {
      if (signal.aborted && error === signal.reason) tell(cancelledReport(ids, bucket));
      throw error;
    }
  });
}

function tellProgress(event: RolloutEvent, notice: (message: string) => void): void {
  switch (event.type) {
    case 'submitted':
      return notice(`Sent to session ${event.sessionId}.`);
    case 'accepted':
      return notice('Accepted; waiting for the result.');
    case 'store_trouble':
      return notice(`The store does not answer: ${describeThrown(event.error).message}`);
    case 'session_stopped':
      if (event.result === 'stopped') notice('Session stopped.');
      return;
    case 'retry':
      return notice(`${event.message} Next try in ${Math.round(event.delayMs)} ms.`);
    case 'quota_paused':
      return notice('There is no room for another session (402); waiting for one to end.');
    default:
  }
}
