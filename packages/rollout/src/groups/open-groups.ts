import type { RunMaker } from '../batch/open-batch.ts';
import { indexedSource } from '../batch/indexed-source.ts';
import type { YieldingRun } from '../client/yielding-run.ts';
import { AcknowledgementBook } from '../journal/run/acknowledgement-book.ts';
import { JournaledRun } from '../journal/run/journaled-run.ts';
import { resolveJournalChoice, type JournalChoice } from '../journal/run/journal-choice.ts';
import { beginRun, reopenRun, type OpenedRun } from '../journal/run/open-run.ts';
import { generatedInputId } from '../rollout-ids.ts';
import { checkGroupOptions, type GroupOptions, type InputSource } from './group-options.ts';
import { groupRecord } from './group-record.ts';
import { GroupRun, type GroupRunParts } from './group-run.ts';
import type { Group } from './group.ts';

/** A run of groups, recorded in a journal where the options name one. */
export async function openGroups<Input extends object>(
  inputs: InputSource<Input>,
  options: GroupOptions<Input>,
  maker: RunMaker,
): Promise<YieldingRun<Group<Input>>> {
  const inputIdPrefix = maker.ids.batchId(maker.clock.epochMs());
  if (options.journal !== undefined) {
    const choice = resolveJournalChoice(options.journal);
    const { settings } = maker;
    return journaledGroups(await beginRun(choice, 'groups', inputs, options, inputIdPrefix, settings), maker);
  }
  return new GroupRun(indexedSource(inputs), options, runParts(maker, inputIdPrefix));
}

/** A run of groups that an earlier process began. */
export async function reopenGroups<Input extends object>(
  choice: JournalChoice,
  inputs: InputSource<Input>,
  options: Partial<GroupOptions<Input>>,
  maker: RunMaker,
): Promise<YieldingRun<Group<Input>>> {
  const opened = await reopenRun<Input, GroupOptions<Input>>(
    resolveJournalChoice(choice),
    'groups',
    inputs,
    options,
    (whole) => checkGroupOptions(inputs, { ...whole, journal: choice }),
    maker.settings,
  );
  return journaledGroups(opened, maker);
}

function journaledGroups<Input extends object>(
  { keeper, source, options }: OpenedRun<Input, GroupOptions<Input>>,
  maker: RunMaker,
): YieldingRun<Group<Input>> {
  const { journal } = keeper;
  const book = new AcknowledgementBook((index) => journal.acknowledge(index));
  const record = groupRecord(keeper, (index) => book.acknowledge(index));
  const run = new GroupRun(source, options, { ...runParts(maker, journal.run.inputIdPrefix), record });
  const { lingering } = maker;
  const { acknowledge: mode = 'next', detachSignal } = options;
  return new JournaledRun(run, { keeper, book, mode, stops: maker.stops, lingering, detachSignal });
}

function runParts(maker: RunMaker, inputIdPrefix: string): GroupRunParts {
  return {
    clock: maker.clock,
    dropCapture: maker.dropCapture,
    warn: maker.warn,
    generateInputId: (index) => generatedInputId(inputIdPrefix, index),
    start: (start) => maker.start(start, inputIdPrefix),
  };
}
