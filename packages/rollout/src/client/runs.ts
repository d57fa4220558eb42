import {
  beginRun,
  indexedSource,
  resolveJournalChoice,
  resumeRun,
  type IndexedSource,
  type JournalChoice,
  type OpenRun,
  type RunKind,
  type RunSession,
} from '@art/journal';
import type { BatchItem } from '../batch/batch-item.ts';
import { checkBatchOptions, type BatchOptions } from '../batch/batch-options.ts';
import { BatchScheduler, type PayloadPlan } from '../batch/batch-scheduler.ts';
import { checkGroupOptions, type GroupOptions } from '../groups/group-options.ts';
import { GroupScheduler } from '../groups/group-scheduler.ts';
import type { Group } from '../groups/group.ts';
import type { OpenGroup } from '../groups/open-group.ts';
import type { LiveRollouts } from '../live/live-rollouts.ts';
import { AttemptPool } from '../pool/attempt-pool.ts';
import { FailureWatch } from '../pool/failure-watch.ts';
import { Outbox } from '../pool/outbox.ts';
import { RecordedRun } from '../pool/recorded-run.ts';
import type { RunOptions } from '../pool/run-options.ts';
import type { Run } from '../pool/run.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import type { AdoptRolloutParts } from '../recording/adopt-rollout.ts';
import { recordOptions, restoreOptions } from '../recording/recorded-options.ts';
import type { RolloutIds } from '../request/rollout-ids.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { ClientEvents } from './client-events.ts';
import type { Preflight } from './preflight.ts';
import type { StopOnSignals } from './stop-on-signals.ts';
import { keepAlive } from './wait-for-rollout.ts';

/** What runs of a client are made with. */
export interface RunsParts extends AdoptRolloutParts {
  /** Undefined where results come from sessions, as `bucket`. */
  expId: string | undefined;
  bucket: string | undefined;
  agentRuntimeArn: string | undefined;
  warn: (message: string) => void;
  ids: RolloutIds;
  live: LiveRollouts;
  events: ClientEvents;
  preflight: Preflight;
  signals: StopOnSignals | undefined;
  /** Throws once nothing new is to be begun. */
  assertReady: () => void;
}

/** A kind of run: how its options are checked, and what decides about its attempts. */
export interface KindOfRun<Value, Options extends RunOptions, Item, Plan> {
  kind: RunKind;
  /** Stand for options that a resume leaves out, until the journal has told them; then all are checked again. */
  placeholders: Pick<Options, 'maxConcurrentSessions'> & Partial<Options>;
  /** @throws ArtError `ART_INVALID_OPTION` */
  check(values: unknown, options: Options): void;
  schedule(source: IndexedSource<Value>, options: Options, parts: SchedulerParts<Item>): Scheduler<Plan>;
}

type Values<Value> = Iterable<Value> | AsyncIterable<Value>;
type RunItem = { index: number; acknowledge(): Promise<void> };

export const batchRun = <P extends Payload>(): KindOfRun<P, BatchOptions<P>, BatchItem, PayloadPlan> => ({
  kind: 'batch',
  placeholders: { maxConcurrentSessions: 1 },
  check: checkBatchOptions,
  schedule: (source, options, parts) => new BatchScheduler(source, options, parts),
});

export const groupRun = <Input extends object>(): KindOfRun<
  Input,
  GroupOptions<Input>,
  Group<Input>,
  OpenGroup<Input>
> => ({
  kind: 'groups',
  placeholders: { maxConcurrentSessions: 1, rolloutsPerInput: 1_000_000 },
  check: checkGroupOptions,
  schedule: (source, options, parts) => new GroupScheduler(source, options, parts),
});

/** The batches and runs of groups of a client, new ones and those that an earlier process began. */
export class Runs {
  readonly #parts: RunsParts;
  readonly #active = new Set<Run<unknown>>();
  /** Lets go of journals that wait for acknowledgements after their runs have ended. */
  readonly #lingering = new Set<() => Promise<void>>();

  constructor(parts: RunsParts) {
    this.#parts = parts;
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once; with the first item `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED` */
  start<Value, Options extends RunOptions, Item extends RunItem, Plan>(
    kind: KindOfRun<Value, Options, Item, Plan>,
    values: Values<Value>,
    options: Options,
  ): AsyncGenerator<Item, void, undefined> {
    kind.check(values, options);
    return this.#iterate(options.signal, () => this.#open(kind, values, options));
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once; with the first item as `resumeRun` of `@art/journal` */
  resume<Value, Options extends RunOptions, Item extends RunItem, Plan>(
    kind: KindOfRun<Value, Options, Item, Plan>,
    journal: JournalChoice,
    values: Values<Value>,
    given: Partial<Omit<Options, 'journal'>>,
  ): AsyncGenerator<Item, void, undefined> {
    resolveJournalChoice(journal);
    const own = given as Partial<Options>;
    kind.check(values, { ...kind.placeholders, ...own, journal } as Options);
    return this.#iterate(own.signal, () => this.#reopen(kind, journal, values, own));
  }

  async stop(reason: unknown): Promise<void> {
    await Promise.all(Array.from(this.#active, (run) => run.stop(reason)));
  }

  async closeJournals(): Promise<void> {
    await Promise.all(Array.from(this.#lingering, (close) => close()));
  }

  async *#iterate<Item>(
    signal: AbortSignal | undefined,
    open: () => Promise<Run<Item>>,
  ): AsyncGenerator<Item, void, undefined> {
    const { assertReady, events, preflight, signals } = this.#parts;
    assertReady();
    const release = keepAlive();
    const letGo = signals?.hold();
    let run: Run<Item> | undefined;
    let leave: (() => void) | undefined;
    try {
      await preflight.pass(signal);
      run = await open();
      assertReady();
      this.#active.add(run);
      leave = events.join(run.onSharedEvent);
      run.begin();
      for (let item = await run.next(); item !== undefined; item = await run.next()) yield item;
    } finally {
      await run?.stop(new Error('the batch was left early'));
      leave?.();
      if (run !== undefined) this.#active.delete(run);
      letGo?.();
      release();
    }
  }

  async #open<Value, Options extends RunOptions, Item extends RunItem, Plan>(
    kindOfRun: KindOfRun<Value, Options, Item, Plan>,
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
    const opened = await beginRun(choice, values, facts, { clock, signal: options.signal });
    return this.#recorded(kindOfRun, opened, options);
  }

  async #reopen<Value, Options extends RunOptions, Item extends RunItem, Plan>(
    kindOfRun: KindOfRun<Value, Options, Item, Plan>,
    journal: JournalChoice,
    values: Values<Value>,
    given: Partial<Options>,
  ): Promise<Run<Item>> {
    const { expId, bucket, clock } = this.#parts;
    const expected = { kind: kindOfRun.kind, expId, bucket };
    let options: Options | undefined;
    const opened = await resumeRun(resolveJournalChoice(journal), values, expected, {
      clock,
      signal: given.signal,
      check: (run) => {
        options = restoreOptions(run, given) as unknown as Options;
        kindOfRun.check(values, { ...options, journal });
      },
    });
    return this.#recorded(kindOfRun, opened, options!);
  }

  #recorded<Value, Options extends RunOptions, Item extends RunItem, Plan>(
    kindOfRun: KindOfRun<Value, Options, Item, Plan>,
    { session, source }: OpenRun<Value>,
    options: Options,
  ): Run<Item> {
    const run = this.#make(kindOfRun, source, options, session.record.header.inputIdPrefix, session);
    const { acknowledge: mode = 'next', detachSignal } = options;
    const { stops } = this.#parts;
    return new RecordedRun(run, { session, mode, stops, lingering: this.#lingering, detachSignal });
  }

  #make<Value, Options extends RunOptions, Item, Plan>(
    kindOfRun: KindOfRun<Value, Options, Item, Plan>,
    source: IndexedSource<Value>,
    options: Options,
    inputIdPrefix: string,
    session: RunSession | undefined,
  ): Run<Item> {
    const outbox = new Outbox<Item>();
    const failures = new FailureWatch(options.maxFailures);
    const parts = { ...this.#parts, inputIdPrefix, session, outbox, failures };
    return new AttemptPool(options, { ...parts, scheduler: kindOfRun.schedule(source, options, parts) });
  }
}
