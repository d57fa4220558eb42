import type { JournalChoice } from '@art/journal';
import type { BatchItem } from '../batch/batch-item.ts';
import { checkBatchOptions, type BatchOptions, type PayloadSource } from '../batch/batch-options.ts';
import { BatchScheduler } from '../batch/batch-scheduler.ts';
import { checkGroupOptions, type GroupOptions, type InputSource } from '../groups/group-options.ts';
import { GroupScheduler } from '../groups/group-scheduler.ts';
import type { Group } from '../groups/group.ts';
import type { LiveRollouts } from '../live/live-rollouts.ts';
import { AttemptPool } from '../pool/attempt-pool.ts';
import { FailureWatch } from '../pool/failure-watch.ts';
import { Outbox } from '../pool/outbox.ts';
import type { Run } from '../pool/run.ts';
import { openRun, reopenRun, type OpenRunParts, type KindOfRun } from '../recording/open-run.ts';
import { generatedInputId, type RolloutIds } from '../request/rollout-ids.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { ClientEvents } from './client-events.ts';
import { keepAlive } from './keep-alive.ts';
import type { Preflight } from './preflight.ts';
import type { StopOnSignals } from './stop-on-signals.ts';

/** What runs of a client are made with. */
export interface RunsParts extends Omit<OpenRunParts, 'lingering'> {
  warn: (message: string) => void;
  ids: RolloutIds;
  live: LiveRollouts;
  events: ClientEvents;
  preflight: Preflight;
  signals: StopOnSignals | undefined;
  /** Throws once nothing new is to be begun. */
  assertReady: () => void;
}

/** The batches and runs of groups of a client, new ones and those that an earlier process began. */
export class Runs {
  readonly #parts: RunsParts;
  readonly #openParts: OpenRunParts;
  readonly #active = new Set<Run<unknown>>();
  readonly #lingering = new Set<() => Promise<void>>();

  constructor(parts: RunsParts) {
    this.#parts = parts;
    this.#openParts = { ...parts, lingering: this.#lingering };
  }

  batch<P extends Payload>(
    payloads: PayloadSource<P>,
    options: BatchOptions<P>,
  ): AsyncGenerator<BatchItem, void, undefined> {
    return this.#iterate(options.signal, () =>
      openRun(this.#batches<P>(), payloads, options, this.#newPrefix(), this.#openParts),
    );
  }

  resumedBatch<P extends Payload>(
    journal: JournalChoice,
    payloads: PayloadSource<P>,
    options: Partial<BatchOptions<P>>,
  ): AsyncGenerator<BatchItem, void, undefined> {
    const check = (whole: BatchOptions<P>): void => checkBatchOptions(payloads, { ...whole, journal });
    return this.#iterate(options.signal, () =>
      reopenRun(this.#batches<P>(), journal, payloads, options, check, this.#openParts),
    );
  }

  groups<Input extends object>(
    inputs: InputSource<Input>,
    options: GroupOptions<Input>,
  ): AsyncGenerator<Group<Input>, void, undefined> {
    return this.#iterate(options.signal, () =>
      openRun(this.#groups<Input>(), inputs, options, this.#newPrefix(), this.#openParts),
    );
  }

  resumedGroups<Input extends object>(
    journal: JournalChoice,
    inputs: InputSource<Input>,
    options: Partial<GroupOptions<Input>>,
  ): AsyncGenerator<Group<Input>, void, undefined> {
    const check = (whole: GroupOptions<Input>): void => checkGroupOptions(inputs, { ...whole, journal });
    return this.#iterate(options.signal, () =>
      reopenRun(this.#groups<Input>(), journal, inputs, options, check, this.#openParts),
    );
  }

  async stop(reason: unknown): Promise<void> {
    await Promise.all(Array.from(this.#active, (run) => run.stop(reason)));
  }

  /** Lets go of journals that wait for acknowledgements after their runs have ended. */
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

  #batches<P extends Payload>(): KindOfRun<P, BatchOptions<P>, BatchItem> {
    const make: KindOfRun<P, BatchOptions<P>, BatchItem>['make'] = (source, options, prefix, record) => {
      const outbox = new Outbox<BatchItem>();
      const failures = new FailureWatch(options.maxFailures);
      const { clock } = this.#parts;
      const scheduler = new BatchScheduler(source, options, { clock, record, outbox, failures });
      const parts = { ...this.#parts, inputIdPrefix: prefix, record, scheduler, outbox, failures };
      return new AttemptPool(options, parts);
    };
    return { kind: 'batch', make };
  }

  #groups<Input extends object>(): KindOfRun<Input, GroupOptions<Input>, Group<Input>> {
    type Kind = KindOfRun<Input, GroupOptions<Input>, Group<Input>>;
    const make: Kind['make'] = (source, options, prefix, record) => {
      const outbox = new Outbox<Group<Input>>();
      const failures = new FailureWatch(options.maxFailures);
      const { clock } = this.#parts;
      const generateInputId = (index: number): string => generatedInputId(prefix, index);
      const scheduler = new GroupScheduler(source, options, { clock, record, outbox, generateInputId });
      const parts = { ...this.#parts, inputIdPrefix: prefix, record, scheduler, outbox, failures };
      return new AttemptPool(options, parts);
    };
    return { kind: 'groups', make };
  }

  #newPrefix(): string {
    const { ids, clock } = this.#parts;
    return ids.batchId(clock.epochMs());
  }
}
