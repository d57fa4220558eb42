import type { RunHandle } from '@art/client';
import type { RunSummary } from '@art/journal';
import { ArtError } from '@art/ground';
import type { GroupRecord, RolloutRecord } from '@art/trajectories';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { describeRun } from './describe-run.ts';
import type { ResultOutput } from './result-output.ts';
import type { RunReporter } from './run-reporter.ts';

/** A run that is under way, and where its outcomes go. */
export interface RunDelivery<Item extends { id: string }> {
  /** Acknowledges an item when the next one is asked for. */
  items: RunHandle<Item>;
  kind: 'batch' | 'groups';
  output: ResultOutput;
  recordOf: (item: Item) => RolloutRecord | GroupRecord | Promise<RolloutRecord>;
  /** True if the ceiling of the run has cut an item off: it is not written down, and the run ends. */
  isCutOff?: (item: Item) => boolean;
  /** Called with each item. */
  onItem?: (item: Item) => void;
  reporter: RunReporter;
  signal: AbortSignal;
  /** Reads what the journal has afterwards; undefined for a run without one. */
  readRun: (() => Promise<Pick<RunSummary, 'isFinished'>>) | undefined;
}

/**
 * Writes every outcome down, and tells at the end what came of the run. The journal learns that an item has been dealt with
 * only when its line is durable.
 * @returns the exit code
 * @throws what ended the run: the signal's reason, or too many failures
 */
export async function deliverRun<Item extends { id: string }>(
  delivery: RunDelivery<Item>,
  { stderr }: Pick<CliContext, 'stderr'>,
): Promise<number> {
  const { items, kind, output, signal, reporter } = delivery;
  const { runId } = reporter;
  const resumable = delivery.readRun !== undefined;
  try {
    for await (const item of items) {
      if (delivery.isCutOff?.(item) === true) {
        reporter.clear();
        const advice = resumable ? `; "art resume ${runId}" with a higher one continues` : '';
        stderr.write(
          `The ceiling is reached after ${describeRun(items.progress, kind)}. What is missing is no failure${advice}.\n`,
        );
        return exitCodes.someFailed;
      }
      if (!output.has(item.id)) await output.write(await delivery.recordOf(item));
      delivery.onItem?.(item);
    }
  } catch (error) {
    reporter.clear();
    if (ArtError.isInstance(error) && error.code === 'ART_TOO_MANY_FAILURES') {
      const advice = resumable ? ` Once it is mended, "art resume ${runId}" continues.` : '';
      stderr.write(
        `Run ${runId} was ended after ${describeRun(items.progress, kind)}. The sessions were stopped.${advice}\n`,
      );
    } else if (signal.aborted && error === signal.reason) {
      const advice = resumable ? `; "art resume ${runId}" continues` : '';
      stderr.write(
        `Interrupted after ${describeRun(items.progress, kind)}. The sessions were stopped${advice}.\n`,
      );
    }
    throw error;
  }
  reporter.clear();
  const isFinished = delivery.readRun === undefined || (await delivery.readRun()).isFinished;
  const { progress } = items;
  const summary = progress.items.settled === 0 ? 'nothing was left to do' : describeRun(progress, kind);
  stderr.write(
    isFinished
      ? `Run ${runId} is finished: ${summary}.\n`
      : `Run ${runId} is not finished: ${summary}. "art resume ${runId}" continues.\n`,
  );
  return isFinished && progress.items.kinds.failed === 0 ? exitCodes.ok : exitCodes.someFailed;
}
