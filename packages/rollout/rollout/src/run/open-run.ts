import {
  beginRun,
  itemSource,
  remainingItems,
  resolveJournalChoice,
  resumeRun,
  type ItemName,
  type ItemSource,
  type JournalChoice,
  type RunKind,
  type RunLog,
} from '@art/journal';
import type { ItemRules } from '../items/item-rules.ts';
import type { OpenItem } from '../items/open-item.ts';
import { recordOptions, restoreOptions } from '../recording/recorded-options.ts';
import type { RunDeps } from './run-deps.ts';
import type { RunOptions } from './run-options.ts';

export type Data<Input> = Iterable<Input> | AsyncIterable<Input>;

/** An item that a run yields: a rollout of a batch, or a group. */
export interface RunItem {
  id: string;
  acknowledge(): Promise<void>;
}

/** The differences between batches and runs of groups. */
export interface RunForm<Input extends object, Options extends RunOptions, Item extends RunItem> {
  kind: RunKind;
  /** Stand for options that a resume leaves out, until the journal has told them; then all are checked again. */
  placeholders: Pick<Options, 'maxConcurrentSessions'> & Partial<Options>;
  /** @throws ArtError `ART_INVALID_OPTION` */
  check: (data: unknown, options: Options) => void;
  rulesOf: (options: Options) => ItemRules<Input>;
  nameOf: (options: Options) => ItemName<Input> | undefined;
  /** A settled item as its consumer sees it; undefined where nothing of it was begun. */
  build: (item: OpenItem<Input>, by: SettledBy<Options>) => Item | undefined;
}

/** The data that a settled item is made from. */
export interface SettledBy<Options> {
  rules: ItemRules;
  options: Options;
  acknowledge: () => Promise<void>;
  /** From the moment the item was taken from the data. */
  elapsedMs: number;
}

/** How a run is asked for: anew, or where an earlier process left it. */
export type RunRequest<Input, Options> =
  | { kind: 'new'; data: Data<Input>; options: Options }
  | { kind: 'resumed'; data: Data<Input>; options: Partial<Options>; journal: JournalChoice };

/** A run that can begin: in its journal where it has one, with all its options. */
export interface OpenedRun<Input, Options> {
  options: Options;
  items: ItemSource<Input>;
  /** Undefined where the data does not say. */
  itemCount: number | undefined;
  runLog: RunLog | undefined;
  inputIdPrefix: string;
}

/**
 * Opens a run in its journal, where it has one.
 * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`; for one that is resumed `ART_JOURNAL_NOT_FOUND`,
 *   `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_JOURNAL_PAYLOADS_CHANGED`, `ART_INVALID_OPTION`
 */
export async function openRun<Input extends object, Options extends RunOptions, Item extends RunItem>(
  form: RunForm<Input, Options, Item>,
  request: RunRequest<Input, Options>,
  deps: RunDeps,
): Promise<OpenedRun<Input, Options>> {
  return request.kind === 'new' ? openNew(form, request, deps) : openOld(form, request, deps);
}

async function openNew<Input extends object, Options extends RunOptions, Item extends RunItem>(
  { kind, nameOf }: RunForm<Input, Options, Item>,
  { data, options }: Extract<RunRequest<Input, Options>, { kind: 'new' }>,
  { ids, clock, place }: RunDeps,
): Promise<OpenedRun<Input, Options>> {
  const inputIdPrefix = ids.batchId(clock.epochMs());
  const items = itemSource(data, nameOf(options));
  const itemCount = countOf(data);
  const { journal, signal } = options;
  if (journal === undefined) return { options, items, itemCount, runLog: undefined, inputIdPrefix };
  const facts = { kind, inputIdPrefix, itemCount, ...place, ...recordOptions(options) };
  const runLog = await beginRun(resolveJournalChoice(journal), facts, { clock, signal });
  return { options, items, itemCount, runLog, inputIdPrefix };
}

async function openOld<Input extends object, Options extends RunOptions, Item extends RunItem>(
  { kind, check, nameOf }: RunForm<Input, Options, Item>,
  { data, journal, options: given }: Extract<RunRequest<Input, Options>, { kind: 'resumed' }>,
  { clock, place }: RunDeps,
): Promise<OpenedRun<Input, Options>> {
  const { signal } = given;
  const runLog = await resumeRun(resolveJournalChoice(journal), { kind, ...place }, { clock, signal });
  try {
    const { header, history } = runLog;
    const options = restoreOptions(header, given) as unknown as Options;
    check(data, { ...options, journal });
    const items = await remainingItems(data, nameOf(options), history, signal);
    const itemCount = countOf(data) ?? history.itemCount;
    return { options, items, itemCount, runLog, inputIdPrefix: header.inputIdPrefix };
  } catch (error) {
    await runLog.close();
    throw error;
  }
}

function countOf(data: unknown): number | undefined {
  return Array.isArray(data) ? data.length : undefined;
}
