import type { BatchItem, BatchProgress, Group } from '@art/client';
import { readRun, type RolloutJournal, type RunSummary } from '@art/journal';
import type { RunDelivery } from '../batch/deliver-run.ts';
import { formatProgress } from '../batch/format-progress.ts';
import { groupLine } from '../batch/group-line.ts';
import { itemLine } from '../batch/item-line.ts';
import { FirstErrors } from '../batch/first-errors.ts';
import { tellRunEvent } from '../batch/tell-run-event.ts';
import type { ConnectedClient } from '../connection/create-rollout-client.ts';
import type { ResumeRunOptions } from './resume-options.ts';

/** What a resume is made of. */
export interface ResumeParts {
  journal: RolloutJournal;
  run: RunSummary;
  options: ResumeRunOptions;
  payloads: Record<string, unknown>[];
  client: ConnectedClient['client'];
}

type Told = Pick<RunDelivery<{ index: number }>, 'progress' | 'interrupts'>;
type Resumed<Item extends { index: number }> = Pick<
  RunDelivery<Item>,
  'items' | 'lineOf' | 'add' | 'readRun'
>;

/** The rest of a batch. */
export function resumedBatch(parts: ResumeParts, told: Told): Resumed<BatchItem> {
  const { journal, run, client, payloads } = parts;
  return {
    items: client.resume({ journal, runId: run.runId }, payloads, {
      ...sharedOptions(parts, told),
      onProgress: (progress) => showProgress(parts, told, progress.done, progress),
    }),
    lineOf: (item) => itemLine(item, run.runId, run.bucket),
    add: (tally, item) => tally.addItem(item),
    readRun: () => readRun(journal, run.runId),
  };
}

/** The rest of a run of groups. */
export function resumedGroups(parts: ResumeParts, told: Told): Resumed<Group> {
  const { journal, run, client, payloads } = parts;
  return {
    items: client.resumeGroups({ journal, runId: run.runId }, payloads, {
      ...sharedOptions(parts, told),
      onProgress: ({ settled, rollouts }) =>
        showProgress(parts, told, settled.complete + settled.degraded + settled.failed, rollouts),
    }),
    lineOf: (group) => groupLine(group, run.runId, run.bucket),
    add: (tally, group) => tally.addGroup(group),
    readRun: () => readRun(journal, run.runId),
  };
}

function sharedOptions({ options }: ResumeParts, { interrupts, progress }: Told) {
  const firstErrors = new FirstErrors();
  return {
    ...(options.concurrency !== undefined && { maxConcurrentSessions: options.concurrency }),
    timeoutMs: options.timeoutMs,
    maxFailures: options.maxFailures,
    // Whatever the program did that began the run: here an item is dealt with once its line is written.
    acknowledge: 'next',
    signal: interrupts.signal,
    onEvent: (event: Parameters<typeof tellRunEvent>[0]) => {
      const told = tellRunEvent(event, firstErrors);
      if (told !== undefined) progress.note(told);
    },
  } as const;
}

function showProgress(
  { run, payloads }: ResumeParts,
  { progress }: Told,
  done: number,
  rollouts: BatchProgress,
): void {
  const counts = { total: run.payloadCount ?? payloads.length, earlier: run.acknowledged, done };
  progress.show(formatProgress(run.runId, counts, rollouts));
}
