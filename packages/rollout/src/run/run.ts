import type { ItemSource, RunLog } from '@art/journal';
import { ArtError } from '@art/protocol';
import type { ActiveAttempt } from '../items/attempt.ts';
import type { ItemRules } from '../items/item-rules.ts';
import { kindOf } from '../items/item-state.ts';
import { ItemTable } from '../items/item-table.ts';
import type { OpenItem } from '../items/open-item.ts';
import { rolloutCancelled } from '../lifecycle/outcome-of-failure.ts';
import type { OpenedRun, RunForm, RunItem } from './open-run.ts';
import { Outbox } from './outbox.ts';
import type { RunDeps } from './run-deps.ts';
import { RunLedger } from './run-ledger.ts';
import type { RunOptions } from './run-options.ts';
import type { RunPace, RunProgress } from './run-progress.ts';
import { RunWatch } from './run-watch.ts';

type Phase =
  | { name: 'running' }
  /** Nothing new is begun: what runs is finished, then the failure is thrown, where there is one. */
  | { name: 'ending'; failure: ArtError | undefined }
  /** `handsOut`: what was settled before is handed out first. */
  | { name: 'stopping'; reason: unknown; handsOut: boolean };

/**
 * A batch or a run of groups that was opened: hands its items out as they settle, and stops every session before it ends. When its
 * journal breaks, nothing more is handed out, for no process could remember that it was.
 */
export class Run<Input extends object, Options extends RunOptions, Item extends RunItem> {
  readonly #form: RunForm<Input, Options, Item>;
  readonly #options: Options;
  readonly #items: ItemSource<Input>;
  readonly #runLog: RunLog | undefined;
  readonly #itemCount: number | undefined;
  readonly #pace: Readonly<RunPace>;
  readonly #deps: RunDeps;
  readonly #rules: ItemRules;
  readonly #table: ItemTable<Input>;
  readonly #ledger: RunLedger;
  readonly #watch: RunWatch;
  readonly #outbox = new Outbox<Item>();
  /** Aborts when nothing outside concerns the run any more. */
  readonly #detached = new AbortController();
  #phase: Phase = { name: 'running' };
  #previous: Item | undefined;
  #stopped: Promise<void> | undefined;

  constructor(
    form: RunForm<Input, Options, Item>,
    { options, items, itemCount, runLog, inputIdPrefix }: OpenedRun<Input, Options>,
    pace: Readonly<RunPace>,
    deps: RunDeps,
  ) {
    this.#form = form;
    this.#options = options;
    this.#items = items;
    this.#itemCount = itemCount;
    this.#runLog = runLog;
    this.#pace = pace;
    this.#deps = deps;
    this.#rules = form.rulesOf(options);
    this.#ledger = new RunLedger(runLog, deps.stops, () => deps.runs.delete(this));
    this.#watch = new RunWatch(options, {
      ...deps,
      progress: () => this.progress,
      onFailure: (failure) => this.#beginStopping(failure, rolloutCancelled(failure), true),
    });
    this.#table = new ItemTable(items, {
      ...deps,
      pace,
      rules: this.#rules,
      choose: form.chooserOf(options),
      runLog,
      inputIdPrefix,
      timeoutMs: options.timeoutMs ?? 900_000,
      hasRoom: () => this.#hasRoom,
      whileWaiting: (next, isIdle) => this.#outbox.whileWaiting(next, isIdle, deps.clock),
      onEvent: (event) => {
        this.#watch.event(event);
        // A session has started, or it is certain that this does not matter: nothing needs to be held back any more.
        if (!this.#watch.failures.isUndecided && this.#phase.name !== 'stopping') this.#outbox.release();
      },
      onBegun: (attempt, isFirst) => this.#watch.attemptBegun(attempt, isFirst),
      onEnded: (attempt) => this.#watch.attemptEnded(attempt),
      onMemberSettled: (last) => this.#watch.rolloutSettled(last),
      onSettled: (item) => this.#settled(item),
      onChange: () => {
        this.#outbox.wake();
        this.#watch.changed();
      },
    });
  }

  get progress(): RunProgress {
    const total = this.#table.hasReadAll ? this.#items.seen : this.#itemCount;
    const earlier = this.#runLog?.history.acknowledgedCount ?? 0;
    const items = { total, earlier, active: this.#table.openCount };
    return this.#watch.counter.snapshot(items, this.#pace);
  }

  activeAttempts(most: number): ActiveAttempt[] {
    const active: ActiveAttempt[] = [];
    for (const { item, place, rollout } of this.#table.live()) {
      if (active.length >= most) break;
      if (rollout === undefined || rollout.state.phase === 'settled') continue;
      const { request, timings } = rollout;
      active.push({ id: item.id, ...place, sessionId: request.sessionId, timings });
    }
    return active;
  }

  begin(): void {
    const { clock, events } = this.#deps;
    const { signal, detachSignal, batchTimeoutMs, onEvent } = this.#options;
    const over = this.#detached.signal;
    const broken = this.#runLog?.broken;
    over.addEventListener(
      'abort',
      events.join((event) => onEvent?.(event)),
      { once: true },
    );
    this.#on(broken, () => this.#endWithoutRecord(broken?.reason as ArtError));
    this.#on(signal, () => void this.stop(signal?.reason));
    this.#on(detachSignal, () => this.#detach(detachSignal?.reason));
    if (batchTimeoutMs !== undefined) {
      const cancel = clock.after(batchTimeoutMs, () => this.#expire(batchTimeoutMs));
      over.addEventListener('abort', cancel, { once: true });
    }
    this.#watch.log(this.#runLog?.header.runId, over);
    this.#table.pump();
  }

  /** More may be begun than before, or less. */
  paceChanged(): void {
    this.#table.pump();
    this.#watch.changed();
  }

  /**
   * The next item; undefined when the run is over and every session was stopped.
   * @throws what the data failed with, or the reason of the stop
   */
  async next(): Promise<Item | undefined> {
    const previous = this.#previous;
    this.#previous = undefined;
    // A journal that cannot be written ends the run in order; it says so itself.
    if (this.#options.acknowledge !== 'explicit') await previous?.acknowledge().catch(() => undefined);
    let item = await this.#take();
    // A broken journal makes the run end by itself, with the failure; until then its items stay in the store.
    while (item !== undefined && this.#runLog?.broken.aborted === true) item = await this.#take();
    if (item === undefined) {
      this.#runLog?.broken.throwIfAborted();
      if (this.#isComplete) await this.#ledger.complete();
      return undefined;
    }
    this.#ledger.handOut(item.id);
    this.#previous = item;
    return item;
  }

  /** Gives up everything outstanding; resolves when every session was told to stop. */
  stop(reason: unknown): Promise<void> {
    this.#stopped ??= this.#stopOnce(reason);
    return this.#stopped;
  }

  /** Releases the journal, whatever is still to be acknowledged. Idempotent. */
  close(): Promise<void> {
    return this.#ledger.release();
  }

  async #take(): Promise<Item | undefined> {
    for (;;) {
      const phase = this.#phase;
      const isOver = phase.name !== 'stopping' && this.#table.isOver;
      const failure = phase.name === 'ending' ? phase.failure : undefined;
      if (isOver) {
        this.#table.closeOpen(failure === undefined);
        this.#outbox.release();
      }
      const item = phase.name === 'stopping' && !phase.handsOut ? undefined : this.#outbox.take();
      if (item !== undefined) {
        this.#table.pump();
        return item;
      }
      if (phase.name === 'stopping') {
        await this.stop(phase.reason);
        throw phase.reason;
      }
      if (isOver) {
        this.#detached.abort();
        if (failure !== undefined) throw failure;
        if (this.#table.failure !== undefined) throw this.#table.failure.error;
        return undefined;
      }
      await this.#outbox.changed();
    }
  }

  /** Whether the data has come to its end and all items were handed out. */
  get #isComplete(): boolean {
    const { isOver, hasReadAll, failure } = this.#table;
    const isEnd = isOver && hasReadAll && failure === undefined;
    return isEnd && this.#phase.name === 'running' && this.#outbox.size === 0;
  }

  get #hasRoom(): boolean {
    const { maxBufferedItems, maxUnacknowledged = Number.POSITIVE_INFINITY } = this.#options;
    const mostBuffered = maxBufferedItems ?? Math.max(1, Math.floor(this.#pace.limit / this.#rules.size));
    return this.#outbox.size < mostBuffered && this.#ledger.unacknowledged < maxUnacknowledged;
  }

  async #acknowledge(item: string): Promise<void> {
    await this.#ledger.acknowledge(item);
    this.#table.pump();
  }

  #settled(item: OpenItem<Input>): void {
    const { failures, counter } = this.#watch;
    // What is handed out must not hold the payload.
    const { id } = item;
    const built = this.#form.build(item, {
      rules: this.#rules,
      options: this.#options,
      acknowledge: () => this.#acknowledge(id),
      elapsedMs: this.#deps.clock.nowMs() - item.openedMs,
    });
    if (built === undefined) return;
    counter.itemSettled(kindOf(item.state, this.#rules));
    // What is handed out counts as dealt with, and a resume would not try it again.
    const mayBeForgiven = item.state.some(
      (member) => member.phase === 'failed' && failures.mayBeForgiven(member.error.code),
    );
    if (this.#runLog !== undefined && mayBeForgiven) this.#outbox.holdBack(built);
    else this.#outbox.push(built);
  }

  #on(signal: AbortSignal | undefined, act: () => void): void {
    if (signal?.aborted === true) act();
    else signal?.addEventListener('abort', act, { once: true, signal: this.#detached.signal });
  }

  #detach(reason: unknown): void {
    const detached = new ArtError({
      code: 'ART_ROLLOUT_DETACHED',
      message: 'The run was left with its sessions at work. Resume it from its journal.',
      cause: reason,
    });
    this.#beginStopping(reason, detached);
  }

  /** Nothing may be started that is not written down. What runs is finished, unless another process has it now. */
  #endWithoutRecord(failure: ArtError): void {
    if (failure.code === 'ART_JOURNAL_LOST') return this.#beginStopping(failure, failure);
    if (this.#phase.name === 'stopping') return;
    this.#phase = { name: 'ending', failure };
    this.#table.close(failure, false);
    this.#outbox.wake();
  }

  #expire(batchTimeoutMs: number): void {
    if (this.#phase.name === 'running') this.#phase = { name: 'ending', failure: undefined };
    const message = `No result within the ${batchTimeoutMs} ms of the batch. Raise batchTimeoutMs, or give it less to do.`;
    this.#table.close(new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message }), true);
    this.#outbox.wake();
  }

  #beginStopping(reason: unknown, over: ArtError, handsOut = false): void {
    if (this.#phase.name === 'stopping') return;
    // A finished run cannot be stopped. Items that wait are discarded.
    if (this.#table.isOver && this.#outbox.size === 0) return;
    this.#phase = { name: 'stopping', reason, handsOut };
    this.#table.abandon(over);
    this.#outbox.wake();
  }

  async #stopOnce(reason: unknown): Promise<void> {
    this.#beginStopping(reason, rolloutCancelled(reason));
    this.#detached.abort();
    await this.#table.ended();
    const { acknowledge, detachSignal } = this.#options;
    const broken = this.#runLog?.broken;
    const isTakenOver = broken?.aborted === true && (broken.reason as ArtError).code === 'ART_JOURNAL_LOST';
    await this.#ledger.end({
      isLeft: isTakenOver || detachSignal?.aborted === true,
      mayComplete: this.#isComplete && acknowledge === 'explicit' && broken?.aborted !== true,
    });
  }
}
