import {
  beginRun,
  indexedSource,
  resolveJournalChoice,
  resumeRun,
  type IndexedSource,
  type JournalChoice,
  type RunKind,
  type RunSession,
} from '@art/journal';
import type { BatchItem } from '../batch/batch-item.ts';
import { checkBatchOptions, type BatchOptions } from '../batch/batch-options.ts';
import { BatchScheduler } from '../batch/batch-scheduler.ts';
import { checkGroupOptions, type GroupOptions } from '../groups/group-options.ts';
import { GroupScheduler } from '../groups/group-scheduler.ts';
import type { Group } from '../groups/group.ts';
import type { RunOptions } from '../pool/run-options.ts';
import { Run, type RunItem } from '../pool/run.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import { recordOptions, restoreOptions } from '../recording/recorded-options.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { ClientParts } from './client-parts.ts';
import { keepAlive } from './wait-for-rollout.ts';

/** A kind of run: how its options are checked, and what decides about its attempts. */
export interface KindOfRun<Value, Options extends RunOptions, Item> {
  kind: RunKind;
  /** Stand for options that a resume leaves out, until the journal has told them; then all are checked again. */
  placeholders: Pick<Options, 'maxConcurrentSessions'> & Partial<Options>;
  /** @throws ArtError `ART_INVALID_OPTION` */
  check: (values: unknown, options: Options) => void;
  schedule(source: IndexedSource<Value>, options: Options, parts: SchedulerParts<Item>): Scheduler;
}

type KeptRun = Pick<Run<RunItem>, 'stop' | 'close' | 'letGo'>;
type Values<Value> = Iterable<Value> | AsyncIterable<Value>;

/** A run that can begin: in its journal where it has one, with all its options. */
interface OpenedRun<Value, Options> {
  options: Options;
  source: IndexedSource<Value>;
  session: RunSession | undefined;
  inputIdPrefix: string;
}

export const batchRun = <P extends Payload>(): KindOfRun<P, BatchOptions<P>, BatchItem> => ({
  kind: 'batch',
  placeholders: { maxConcurrentSessions: 1 },
  check: checkBatchOptions,
  schedule: (source, options, parts) => new BatchScheduler(source, options, parts),
});

export const groupRun = <Input extends object>(): KindOfRun<Input, GroupOptions<Input>, Group<Input>> => ({
  kind: 'groups',
  placeholders: { maxConcurrentSessions: 1, rolloutsPerInput: 1_000_000 },
  check: checkGroupOptions,
  schedule: (source, options, parts) => new GroupScheduler(source, options, parts),
});

/** The batches and runs of groups of a client, new ones and those that an earlier process began. */
export class Runs {
  readonly #parts: ClientParts;
  /** Those of which something is left; of some only a journal that waits for acknowledgements. */
  readonly #runs = new Set<KeptRun>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once; with the first item `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED` */
  start<Value, Options extends RunOptions, Item extends RunItem>(
    kind: KindOfRun<Value, Options, Item>,
    values: Values<Value>,
    options: Options,
  ): AsyncGenerator<Item, void, undefined> {
    kind.check(values, options);
    return this.#iterate(kind, options.signal, () => this.#openNew(kind.kind, values, options));
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once; with the first item as `resumeRun` of `@art/journal` */
  resume<Value, Options extends RunOptions, Item extends RunItem>(
    kind: KindOfRun<Value, Options, Item>,
    journal: JournalChoice,
    values: Values<Value>,
    given: Partial<Omit<Options, 'journal'>>,
  ): AsyncGenerator<Item, void, undefined> {
    resolveJournalChoice(journal);
    const own = given as Partial<Options>;
    kind.check(values, { ...kind.placeholders, ...own, journal } as Options);
    return this.#iterate(kind, own.signal, () => this.#openOld(kind, journal, values, own));
  }

  async stop(reason: unknown): Promise<void> {
    await Promise.all(Array.from(this.#runs, (run) => run.stop(reason)));
  }

  /** Lets go of journals that wait for acknowledgements after their runs have ended. */
  async closeJournals(): Promise<void> {
    await Promise.all(Array.from(this.#runs, (run) => run.close()));
  }

  async #openNew<Value, Options extends RunOptions>(
    kind: RunKind,
    values: Values<Value>,
    options: Options,
  ): Promise<OpenedRun<Value, Options>> {
    const { ids, clock, place } = this.#parts;
    const inputIdPrefix = ids.batchId(clock.epochMs());
    if (options.journal === undefined)
      return { options, source: indexedSource(values), session: undefined, inputIdPrefix };
    const facts = { kind, inputIdPrefix, ...place, ...recordOptions(options) };
    const { journal, signal } = options;
    const opened = await beginRun(resolveJournalChoice(journal), values, facts, { clock, signal });
    return { options, ...opened, inputIdPrefix };
  }

  async #openOld<Value, Options extends RunOptions, Item extends RunItem>(
    { kind, check }: KindOfRun<Value, Options, Item>,
    journal: JournalChoice,
    values: Values<Value>,
    given: Partial<Options>,
  ): Promise<OpenedRun<Value, Options>> {
    const { clock, place } = this.#parts;
    let options: Options | undefined;
    const opened = await resumeRun(
      resolveJournalChoice(journal),
      values,
      { kind, ...place },
      {
        clock,
        signal: given.signal,
        check: (run) => {
          options = restoreOptions(run, given) as unknown as Options;
          check(values, { ...options, journal });
        },
      },
    );
    return { options: options!, ...opened, inputIdPrefix: opened.session.record.header.inputIdPrefix };
  }

  async *#iterate<Value, Options extends RunOptions, Item extends RunItem>(
    kind: KindOfRun<Value, Options, Item>,
    signal: AbortSignal | undefined,
    open: () => Promise<OpenedRun<Value, Options>>,
  ): AsyncGenerator<Item, void, undefined> {
    const { preflight, signals } = this.#parts;
    preflight.assertReady();
    const release = keepAlive();
    const letGo = signals?.hold();
    let run: Run<Item> | undefined;
    try {
      await preflight.pass(signal);
      const { options, source, ...opened } = await open();
      run = new Run(options, { ...this.#parts, ...opened }, (parts) => kind.schedule(source, options, parts));
      preflight.assertReady();
      this.#keep(run);
      run.begin();
      for (let item = await run.next(); item !== undefined; item = await run.next()) yield item;
    } finally {
      await run?.stop(new Error('the batch was left early'));
      letGo?.();
      release();
    }
  }

  #keep(run: KeptRun): void {
    this.#runs.add(run);
    void run.letGo.then(() => this.#runs.delete(run));
  }
}
