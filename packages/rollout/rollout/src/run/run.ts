import { aNumber, ArtError } from '@art/ground';
import type { ActiveAttempt } from '../items/attempt.ts';
import { rolloutCancelled } from '../lifecycle/outcome-of-failure.ts';
import { ItemTable } from './item-table.ts';
import { openRun, type OpenedRun, type RunForm, type RunItem, type RunRequest } from './open-run.ts';
import type { RunDeps } from './run-deps.ts';
import { RunLedger } from './run-ledger.ts';
import type { RunOptions } from './run-options.ts';
import type { RunPace, RunProgress } from './run-progress.ts';
import { RunWatch } from './run-watch.ts';

/** A run: an async iterable of its items, which can be moved while it continues. */
export interface RunHandle<Item> extends AsyncGenerator<Item, void, undefined> {
  /**
   * Most sessions alive at once. Sessions above a lower limit are finished.
   * @throws ArtError `ART_INVALID_OPTION` when it is set to something else than an integer from 1
   */
  limit: number;
  /** True if no further item is opened. */
  readonly isPaused: boolean;
  /** How far the run is. */
  readonly progress: RunProgress;
  /** Opens no further item; what has begun is finished, retries included. */
  pause(): void;
  /** Ends a pause. */
  resume(): void;
  /** Attempts under way, the oldest first. @param most @default all */
  activeAttempts(most?: number): ActiveAttempt[];
}

/** The parts of a run that exist once its first item was asked for. */
interface Opened<Input extends object, Options, Item> extends OpenedRun<Input, Options> {
  table: ItemTable<Input, Item>;
  /** Undefined where nobody has to remember what was handed out. */
  ledger: RunLedger | undefined;
}

const aLimit = aNumber({ min: 1, integer: true });

/**
 * A batch or a run of groups. It opens when its first item is asked for, hands items out as they settle, and stops every session before
 * it ends. When its journal breaks, nothing more is handed out, for no process could remember that it was.
 */
export class Run<
  Input extends object,
  Options extends RunOptions,
  Item extends RunItem,
> implements RunHandle<Item> {
  readonly #form: RunForm<Input, Options, Item>;
  readonly #request: RunRequest<Input, Options>;
  readonly #deps: RunDeps;
  readonly #iterator: AsyncGenerator<Item, void, undefined>;
  readonly #pace: RunPace;
  /** Aborts when nothing outside concerns the run any more. */
  readonly #detached = new AbortController();
  #watch: RunWatch;
  #opened: Opened<Input, Options, Item> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(form: RunForm<Input, Options, Item>, request: RunRequest<Input, Options>, deps: RunDeps) {
    this.#form = form;
    this.#request = request;
    this.#deps = deps;
    this.#pace = { limit: request.options.maxConcurrentSessions ?? 0, isPaused: false };
    this.#watch = this.#watchBy(request.options as Options);
    this.#iterator = this.#iterate();
  }

  get limit(): number {
    return this.#pace.limit;
  }

  set limit(limit: number) {
    this.#pace.limit = aLimit(limit, 'limit');
    this.#paceChanged();
  }

  get isPaused(): boolean {
    return this.#pace.isPaused;
  }

  get progress(): RunProgress {
    const { table, items, itemCount, runLog } = this.#opened ?? {};
    const total = table?.hasReadAll === true ? items?.seen : itemCount;
    const earlier = runLog?.history.acknowledgedCount ?? 0;
    return this.#watch.snapshot({ total, earlier, active: table?.openCount ?? 0 }, this.#pace);
  }

  pause(): void {
    this.#pace.isPaused = true;
    this.#paceChanged();
  }

  resume(): void {
    this.#pace.isPaused = false;
    this.#paceChanged();
  }

  activeAttempts(most = Number.POSITIVE_INFINITY): ActiveAttempt[] {
    const active: ActiveAttempt[] = [];
    for (const { item, place, rollout } of this.#opened?.table.live() ?? []) {
      if (active.length >= most) break;
      if (rollout === undefined || rollout.state.phase === 'settled') continue;
      const { request, timings } = rollout;
      active.push({ id: item.id, ...place, sessionId: request.sessionId, timings });
    }
    return active;
  }

  next(): Promise<IteratorResult<Item, void>> {
    return this.#iterator.next();
  }

  return(): Promise<IteratorResult<Item, void>> {
    return this.#iterator.return(undefined);
  }

  throw(error: unknown): Promise<IteratorResult<Item, void>> {
    return this.#iterator.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** Gives up everything outstanding; resolves when every session was asked to stop. */
  stop(reason: unknown): Promise<void> {
    this.#stopped ??= this.#stopOnce(reason);
    return this.#stopped;
  }

  /** Releases the journal, whatever is still to be acknowledged. Idempotent. */
  async close(): Promise<void> {
    await this.#opened?.ledger?.release();
  }

  async *#iterate(): AsyncGenerator<Item, void, undefined> {
    const { preflight, hold, runs } = this.#deps;
    preflight.assertReady();
    const release = hold();
    try {
      await preflight.pass(this.#request.options.signal);
      const opened = this.#tabled(await openRun(this.#form, this.#request, this.#deps));
      this.#opened = opened;
      preflight.assertReady();
      runs.add(this);
      this.#listen(opened);
      yield* this.#handOut(opened);
    } finally {
      await this.stop(new Error('the run was left early'));
      release();
    }
  }

  async *#handOut({ options, runLog, table, ledger }: Opened<Input, Options, Item>): AsyncGenerator<Item> {
    table.pump();
    for (let item = await table.take(); item !== undefined; item = await table.take()) {
      // A broken journal makes the run end by itself, with the failure; until then its items stay in the store.
      if (runLog?.broken.aborted === true) continue;
      ledger?.handOut(item.id);
      yield item;
      // A journal that cannot be written ends the run in order; it says so itself.
      if (options.acknowledge !== 'explicit') await item.acknowledge().catch(() => undefined);
    }
    runLog?.broken.throwIfAborted();
    if (table.isComplete) await ledger?.complete();
  }

  #tabled(opened: OpenedRun<Input, Options>): Opened<Input, Options, Item> {
    const { options, runLog } = opened;
    const { clock, stops, runs } = this.#deps;
    const pace = this.#pace;
    if (pace.limit === 0) pace.limit = options.maxConcurrentSessions;
    this.#watch = this.#watchBy(options);
    const rules = this.#form.rulesOf(options);
    const { maxUnacknowledged, maxBufferedItems } = options;
    const isRemembered = runLog !== undefined || maxUnacknowledged !== undefined;
    const ledger = isRemembered ? new RunLedger(runLog, stops, () => runs.delete(this)) : undefined;
    const acknowledge = async (id: string): Promise<void> => {
      await ledger?.acknowledge(id);
      table.pump();
    };
    const table: ItemTable<Input, Item> = new ItemTable({
      ...this.#deps,
      ...opened,
      rules,
      pace,
      watch: this.#watch,
      timeoutMs: Math.min(options.timeoutMs ?? 900_000, this.#deps.active.longestMs),
      deadlineAtMs: options.deadlineAtMs ?? (() => Infinity),
      hasRoom: (waiting) =>
        waiting < (maxBufferedItems ?? Math.max(1, Math.floor(pace.limit / rules.size))) &&
        (ledger?.unacknowledged ?? 0) < (maxUnacknowledged ?? Number.POSITIVE_INFINITY),
      build: (item) => {
        // What is handed out must not hold the payload.
        const { id } = item;
        const elapsedMs = clock.nowMs() - item.openedMs;
        return this.#form.build(item, { rules, options, elapsedMs, acknowledge: () => acknowledge(id) });
      },
    });
    return { ...opened, table, ledger };
  }

  #watchBy(options: Options): RunWatch {
    return new RunWatch(options, {
      ...this.#deps,
      progress: () => this.progress,
      onFailure: (failure) => this.#opened?.table.stop(failure, rolloutCancelled(failure), true),
    });
  }

  #paceChanged(): void {
    this.#opened?.table.pump();
    this.#watch.changed();
  }

  #listen({ options, runLog, table }: Opened<Input, Options, Item>): void {
    const { clock, events } = this.#deps;
    const { signal, detachSignal, batchTimeoutMs, onEvent } = options;
    const over = this.#detached.signal;
    const on = (outer: AbortSignal | undefined, act: (reason: unknown) => void): void => {
      if (outer?.aborted === true) act(outer.reason);
      else outer?.addEventListener('abort', () => act(outer.reason), { once: true, signal: over });
    };
    on(runLog?.broken, (reason) => {
      const failure = reason as ArtError;
      // Nothing may be begun that is not written down. What runs is finished, unless another process has it now.
      if (failure.code === 'ART_JOURNAL_LOST') table.stop(failure, failure);
      else table.end(failure, { endsLive: false, failure });
    });
    on(signal, (reason) => void this.stop(reason));
    on(detachSignal, (cause) => {
      const message = 'The run was left with its sessions at work. Resume it from its journal.';
      table.stop(cause, new ArtError({ code: 'ART_ROLLOUT_DETACHED', message, cause }));
    });
    over.addEventListener(
      'abort',
      events.join((event) => onEvent?.(event)),
      { once: true },
    );
    this.#watch.log(runLog?.header.runId, over);
    if (batchTimeoutMs === undefined) return;
    const message = `No result within the ${batchTimeoutMs} ms of the batch. Raise batchTimeoutMs, or give it less to do.`;
    const expired = new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message });
    const cancel = clock.after(batchTimeoutMs, () => table.end(expired, { endsLive: true }));
    over.addEventListener('abort', cancel, { once: true });
  }

  async #stopOnce(reason: unknown): Promise<void> {
    if (this.#opened === undefined) return;
    const { table, ledger, runLog, options } = this.#opened;
    const { broken } = runLog ?? {};
    table.stop(reason, rolloutCancelled(reason));
    this.#detached.abort();
    await table.ended();
    if (ledger === undefined) this.#deps.runs.delete(this);
    const isTakenOver = broken?.aborted === true && (broken.reason as ArtError).code === 'ART_JOURNAL_LOST';
    await ledger?.end({
      isLeft: isTakenOver || options.detachSignal?.aborted === true,
      mayComplete: table.isComplete && options.acknowledge === 'explicit' && broken?.aborted !== true,
    });
  }
}
