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

/** What runs of a client are made with. */
export interface RunsParts extends ClientParts {
  /** Undefined where results come from sessions, as `bucket`. */
  expId: string | undefined;
  bucket: string | undefined;
  agentRuntimeArn: string | undefined;
}

/** A kind of run: how its options are checked, and what decides about its attempts. */
export interface KindOfRun<Value, Options extends RunOptions, Item> {
  kind: RunKind;
  /** Stand for options that a resume leaves out, until the journal has told them; then all are checked again. */
  placeholders: Pick<Options, 'maxConcurrentSessions'> & Partial<Options>;
  /** @throws ArtError `ART_INVALID_OPTION` */
  check(values: unknown, options: Options): void;
  schedule(source: IndexedSource<Value>, options: Options, parts: SchedulerParts<Item>): Scheduler;
}

type KeptRun = Pick<Run<RunItem>, 'stop' | 'close' | 'letGo'>;
type Values<Value> = Iterable<Value> | AsyncIterable<Value>;

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
  readonly #parts: RunsParts;
  /** Those of which something is left; of some only a journal that waits for acknowledgements. */
  readonly #runs = new Set<KeptRun>();

  constructor(parts: RunsParts) {
    this.#parts = parts;
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once; with the first item `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED` */
  start<Value, Options extends RunOptions, Item extends RunItem>(
    kind: KindOfRun<Value, Options, Item>,
    values: Values<Value>,
    options: Options,
  ): AsyncGenerator<Item, void, undefined> {
    kind.check(values, options);
    return this.#iterate(options.signal, () => this.#begin(kind, values, options));
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
    return this.#iterate(own.signal, () => this.#resume(kind, journal, values, own));
  }

  async stop(reason: unknown): Promise<void> {
    await Promise.all(Array.from(this.#runs, (run) => run.stop(reason)));
  }

  /** Lets go of journals that wait for acknowledgements after their runs have ended. */
  async closeJournals(): Promise<void> {
    await Promise.all(Array.from(this.#runs, (run) => run.close()));
  }

  async *#iterate<Item extends RunItem>(
    signal: AbortSignal | undefined,
    open: () => Promise<Run<Item>>,
  ): AsyncGenerator<Item, void, undefined> {
    const { preflight, signals } = this.#parts;
    preflight.assertReady();
    const release = keepAlive();
    const letGo = signals?.hold();
    let run: Run<Item> | undefined;
    try {
      await preflight.pass(signal);
      run = await open();
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

  async #begin<Value, Options extends RunOptions, Item extends RunItem>(
    kindOfRun: KindOfRun<Value, Options, Item>,
    values: Values<Value>,
    options: Options,
  ): Promise<Run<Item>> {
    const { ids, clock, expId, bucket, agentRuntimeArn } = this.#parts;
    const inputIdPrefix = ids.batchId(clock.epochMs());
    if (options.journal === undefined)
      return this.#make(kindOfRun, indexedSource(values), options, inputIdPrefix, undefined);
    const { kind } = kindOfRun;
    const facts = { kind, inputIdPrefix, expId, bucket, agentRuntimeArn, ...recordOptions(options) };
    const choice = resolveJournalChoice(options.journal);
    const { source, session } = await beginRun(choice, values, facts, { clock, signal: options.signal });
    return this.#make(kindOfRun, source, options, inputIdPrefix, session);
  }

  async #resume<Value, Options extends RunOptions, Item extends RunItem>(
    kindOfRun: KindOfRun<Value, Options, Item>,
    journal: JournalChoice,
    values: Values<Value>,
    given: Partial<Options>,
  ): Promise<Run<Item>> {
    const { expId, bucket, clock } = this.#parts;
    const expected = { kind: kindOfRun.kind, expId, bucket };
    let options: Options | undefined;
    const { source, session } = await resumeRun(resolveJournalChoice(journal), values, expected, {
      clock,
      signal: given.signal,
      check: (run) => {
        options = restoreOptions(run, given) as unknown as Options;
        kindOfRun.check(values, { ...options, journal });
      },
    });
    return this.#make(kindOfRun, source, options!, session.record.header.inputIdPrefix, session);
  }

  #make<Value, Options extends RunOptions, Item extends RunItem>(
    kindOfRun: KindOfRun<Value, Options, Item>,
    source: IndexedSource<Value>,
    options: Options,
    inputIdPrefix: string,
    session: RunSession | undefined,
  ): Run<Item> {
    const schedule = (parts: SchedulerParts<Item>): Scheduler => kindOfRun.schedule(source, options, parts);
    return new Run(options, { ...this.#parts, inputIdPrefix, session }, schedule);
  }
}
