import type { Clock } from '@art/async';
import type { RolloutIds } from '../rollout-ids.ts';
import type { YieldingRun } from '../client/yielding-run.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { SessionStops } from '../lifecycle/session-stops.ts';
import { AcknowledgementBook } from '../journal/run/acknowledgement-book.ts';
import { JournaledRun } from '../journal/run/journaled-run.ts';
import { resolveJournalChoice, type JournalChoice } from '../journal/run/journal-choice.ts';
import { beginRun, reopenRun, type OpenedRun, type RunSettings } from '../journal/run/open-run.ts';
import type { BatchItem } from './batch-item.ts';
import { checkBatchOptions, type BatchOptions, type Payload, type PayloadSource } from './batch-options.ts';
import type { BatchRecord } from './batch-record.ts';
import { BatchRun } from './batch-run.ts';
import { indexedSource } from './indexed-source.ts';
import type { RolloutStart } from './payload-run.ts';

/** What runs of a client are made with. */
export interface RunMaker {
  clock: Clock;
  stops: SessionStops;
  warn: (message: string) => void;
  ids: RolloutIds;
  settings: RunSettings;
  /** Journals that are to be closed with the client. */
  lingering: Set<() => Promise<void>>;
  /** @throws ArtError when the payload cannot be sent. */
  start: (start: RolloutStart, inputIdPrefix: string) => Rollout;
  dropCapture: (sessionId: string) => void;
}

/** A batch, recorded in a journal where the options name one. */
export async function openBatch<P extends Payload>(
  payloads: PayloadSource<P>,
  options: BatchOptions<P>,
  maker: RunMaker,
): Promise<YieldingRun<BatchItem>> {
  const inputIdPrefix = maker.ids.batchId(maker.clock.epochMs());
  if (options.journal !== undefined) {
    const choice = resolveJournalChoice(options.journal);
    const { settings } = maker;
    return journaledBatch(await beginRun(choice, 'batch', payloads, options, inputIdPrefix, settings), maker);
  }
  return new BatchRun(indexedSource(payloads), options, {
    clock: maker.clock,
    dropCapture: maker.dropCapture,
    warn: maker.warn,
    start: (start) => maker.start(start, inputIdPrefix),
  });
}

/** A batch that an earlier process began. */
export async function reopenBatch<P extends Payload>(
  choice: JournalChoice,
  payloads: PayloadSource<P>,
  options: Partial<BatchOptions<P>>,
  maker: RunMaker,
): Promise<YieldingRun<BatchItem>> {
  const opened = await reopenRun<P, BatchOptions<P>>(
    resolveJournalChoice(choice),
    'batch',
    payloads,
    options,
    (whole) => checkBatchOptions(payloads, { ...whole, journal: choice }),
    maker.settings,
  );
  return journaledBatch(opened, maker);
}

function journaledBatch<P extends Payload>(
  { keeper, source, options }: OpenedRun<P, BatchOptions<P>>,
  maker: RunMaker,
): YieldingRun<BatchItem> {
  const { journal } = keeper;
  const book = new AcknowledgementBook((index) => journal.acknowledge(index));
  const record: BatchRecord = {
    broken: journal.broken,
    pastOf: (index) => keeper.pastOf({ index }),
    adopt: (past, signal) => keeper.adopt(past, signal),
    recorder: (index, attempt, payload) => keeper.recorder({ index, attempt }, payload),
    adoptedRecorder: (past) => keeper.adoptedRecorder(past),
    acknowledge: (index) => book.acknowledge(index),
    sourceEnded: (count) => journal.sourceEnded(count),
  };
  const run = new BatchRun(source, options, {
    clock: maker.clock,
    dropCapture: maker.dropCapture,
    warn: maker.warn,
    start: (start) => maker.start(start, journal.run.inputIdPrefix),
    record,
    keepsBack: true,
  });
  const { lingering } = maker;
  const { acknowledge: mode = 'next', detachSignal } = options;
  return new JournaledRun(run, { keeper, book, mode, stops: maker.stops, lingering, detachSignal });
}
