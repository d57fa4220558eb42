import type { ArtError } from '@art/ground';
import type { Item, ItemSource } from '@art/journal';
import type { ItemAttempt } from '../items/item-attempt.ts';
import { kindOf } from '../items/item-state.ts';
import { makeAttempt, type AttemptDeps } from '../items/make-attempt.ts';
import { OpenItem, type ItemDeps, type ItemOrder } from '../items/open-item.ts';
import type { RunPace } from './run-progress.ts';
import type { RunWatch } from './run-watch.ts';
import { TurnQueue } from './turn-queue.ts';

/** The dependencies of a table. */
export interface ItemTableDeps<Input extends object, Settled>
  extends Omit<AttemptDeps, 'over' | 'onLeaving' | 'onEvent'>, ItemDeps<Input> {
  items: ItemSource<Input>;
  /** How many sessions may be alive at once, and whether further items are opened. */
  pace: Readonly<RunPace>;
  watch: RunWatch;
  /** True if another item may be opened while `waiting` items wait for the consumer. */
  hasRoom: (waiting: number) => boolean;
  /** A settled item as its consumer sees it; undefined where nothing of it was begun. */
  build: (item: OpenItem<Input>) => Settled | undefined;
}

type Phase =
  | { name: 'running' }
  /** Nothing new is begun: what runs is finished, then the failure is thrown, where there is one. */
  | { name: 'ending'; failure: ArtError | undefined }
  /** `handsOut`: what was settled before is handed out first. */
  | { name: 'stopping'; reason: unknown; handsOut: boolean };

type Intake<Input> =
  | { name: 'idle' | 'waiting' | 'ended' }
  /** The data gave an item during a pause. */
  | { name: 'held'; item: Item<Input> }
  | { name: 'failed'; error: unknown };

// A second of the largest quota. What waits for its turn costs memory, and time of its deadline.
const mostUnsent = 1_000;
const slowDataMs = 100;

/**
 * The items of a run: takes them from the data, begins their attempts, as many at a time as the limit allows, and has those that are
 * settled for the consumer. First come retries and hedges; then the members of the item that was opened last; then the next item.
 * Data, work and consumer wait for one another only for room.
 */
export class ItemTable<Input extends object, Settled> {
  readonly #deps: ItemTableDeps<Input, Settled>;
  readonly #attemptDeps: AttemptDeps;
  readonly #open = new Set<OpenItem<Input>>();
  readonly #turns: TurnQueue<Input>;
  /** Attempts whose sessions may be alive, with what resolves once they are gone. */
  readonly #live = new Map<ItemAttempt, Promise<void>>();
  /** The live attempts that have not left this process: they wait for a turn of the runtime. */
  readonly #unsent = new Set<ItemAttempt>();
  /** Settled items, and those that are not handed out before a session has started. */
  readonly #settled: Settled[] = [];
  readonly #heldBack: Settled[] = [];
  /** Aborts when no further attempt is wanted. */
  readonly #over = new AbortController();
  #intake: Intake<Input> = { name: 'idle' };
  #phase: Phase = { name: 'running' };
  #wake: () => void = () => undefined;
  #cancelRelease: (() => void) | undefined;

  constructor(deps: ItemTableDeps<Input, Settled>) {
    this.#deps = deps;
    this.#turns = new TurnQueue(deps.clock, this.#over.signal, () => this.pump());
    this.#attemptDeps = {
      ...deps,
      over: this.#over.signal,
      onEvent: (event) => {
        deps.watch.event(event);
        if (!deps.watch.isUndecided) this.#release();
      },
      onLeaving: (attempt) => this.#sent(attempt),
    };
  }

  /** Items that are not settled. */
  get openCount(): number {
    return this.#open.size;
  }

  /** True if the data has ended. */
  get hasReadAll(): boolean {
    return this.#intake.name === 'ended' || this.#intake.name === 'failed';
  }

  /** True if the data has ended and every item was handed out. */
  get isComplete(): boolean {
    const isEnd = this.#intake.name === 'ended' && this.#phase.name === 'running';
    return isEnd && this.#isOver && this.#settled.length === 0;
  }

  /** Attempts under way, the oldest first. */
  live(): Iterable<ItemAttempt> {
    return this.#live.keys();
  }

  /** Begins what can be begun. */
  pump(): void {
    while (this.#mayBegin) {
      const turn = this.#turns.take();
      if (turn === undefined) break;
      const { item, attempt } = turn;
      // It counts before it begins, for it may leave at once.
      this.#live.set(attempt, Promise.resolve());
      this.#live.set(attempt, this.#make(item, attempt));
    }
    const { pace, hasRoom } = this.#deps;
    if (!this.#mayBegin || pace.isPaused) return;
    if (this.#intake.name === 'held') this.#openItem(this.#intake.item);
    if (this.#intake.name === 'idle' && this.#mayBegin && hasRoom(this.#settled.length))
      void this.#openNext();
  }

  /**
   * The next settled item; undefined when everything was handed out and every session is gone.
   * @throws what the data failed with, the failure that ended the run, or the reason of the stop
   */
  async take(): Promise<Settled | undefined> {
    for (;;) {
      const phase = this.#phase;
      const isOver = phase.name !== 'stopping' && this.#isOver;
      if (isOver) this.#closeRest(phase);
      const item = phase.name === 'stopping' && !phase.handsOut ? undefined : this.#settled.shift();
      if (item !== undefined) {
        this.pump();
        return item;
      }
      if (phase.name === 'stopping') {
        await this.ended();
        throw phase.reason;
      }
      if (isOver) {
        if (phase.name === 'ending' && phase.failure !== undefined) throw phase.failure;
        if (this.#intake.name === 'failed') throw this.#intake.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /**
   * Begins nothing more.
   * @param over why attempts that are not sent yet end; and those under way, with `endsLive`
   * @param failure what is thrown after the last item
   */
  end(over: ArtError, { endsLive, failure }: { endsLive: boolean; failure?: ArtError }): void {
    if (this.#phase.name === 'stopping') return;
    this.#close(over, endsLive);
    this.#phase = { name: 'ending', failure };
    this.#wake();
  }

  /** Begins nothing more and ends everything. @param handsOut whether what was settled before is handed out first */
  stop(reason: unknown, over: ArtError, handsOut = false): void {
    if (this.#phase.name === 'stopping') return;
    // A finished run cannot be stopped. Items that wait are discarded.
    if (this.#isOver && this.#settled.length === 0) return;
    this.#close(over, true);
    this.#phase = { name: 'stopping', reason, handsOut };
    for (const item of this.#open) this.#closeItem(item, false);
    this.#wake();
  }

  /** Resolves when every session that was alive is gone. */
  async ended(): Promise<void> {
    await Promise.all(this.#live.values());
  }

  #carryOut(item: OpenItem<Input>, orders: readonly ItemOrder[]): void {
    for (const order of orders) {
      if (order.do === 'make') this.#turns.add({ item, attempt: order.attempt }, order.pauseMs);
      else if (order.do === 'hand_out') this.#handOut(item);
      else this.#deps.watch.rolloutSettled(order.last);
    }
  }

  #handOut(item: OpenItem<Input>): void {
    const { watch, build } = this.#deps;
    this.#open.delete(item);
    const settled = build(item);
    if (settled === undefined) return;
    watch.itemSettled(kindOf(item.state, this.#deps.rules));
    // What is handed out counts as dealt with, and a resume would not try it again.
    const mayBeForgiven = item.state.some(
      (member) => member.phase === 'failed' && watch.mayBeForgiven(member.error.code),
    );
    const isHeldBack = this.#deps.runLog !== undefined && mayBeForgiven;
    (isHeldBack ? this.#heldBack : this.#settled).push(settled);
    this.#wake();
  }

  /** @param handsOut otherwise everything is dropped */
  #closeItem(item: OpenItem<Input>, handsOut: boolean): void {
    const orders = item.close();
    this.#carryOut(item, handsOut ? orders : orders.filter((order) => order.do !== 'hand_out'));
  }

  /** True if nothing is running and nothing more will be. */
  get #isOver(): boolean {
    if (this.#live.size > 0) return false;
    return this.#phase.name !== 'running' || (this.hasReadAll && this.#open.size === 0);
  }

  get #mayBegin(): boolean {
    const hasPlace = this.#live.size < this.#deps.pace.limit && this.#unsent.size < mostUnsent;
    return hasPlace && this.#phase.name === 'running';
  }

  #close(over: ArtError, endsLive: boolean): void {
    if (this.#phase.name === 'running') this.#deps.items.close();
    this.#over.abort(over);
    if (endsLive) for (const { rollout } of this.#live.keys()) rollout?.end(over);
  }

  /** Settles items that were not finished before the end; drops them where the run has failed. */
  #closeRest(phase: Exclude<Phase, { name: 'stopping' }>): void {
    const hasFailed = phase.name === 'ending' && phase.failure !== undefined;
    for (const item of this.#open) this.#closeItem(item, !hasFailed);
    this.#open.clear();
    this.#over.abort();
    this.#release();
  }

  #release(): void {
    if (this.#heldBack.length === 0 || this.#phase.name === 'stopping') return;
    this.#settled.push(...this.#heldBack.splice(0));
    this.#wake();
  }

  /** Beside the attempts: data that is slow must not hold up a retry. */
  async #openNext(): Promise<void> {
    const { items, watch } = this.#deps;
    this.#intake = { name: 'waiting' };
    this.#releaseForData();
    try {
      const item = await items.next();
      if (this.#phase.name !== 'running') return;
      if (item === undefined) this.#deps.runLog?.sourceEnded(items.seen);
      this.#intake = item === undefined ? { name: 'ended' } : { name: 'held', item };
    } catch (error) {
      if (this.#phase.name !== 'running') return;
      this.#intake = { name: 'failed', error };
    } finally {
      this.#cancelRelease?.();
    }
    watch.changed();
    this.#wake();
    this.pump();
  }

  /** Data may wait for the results of earlier items: it must not wait for what is held back. */
  #releaseForData(): void {
    this.#cancelRelease?.();
    const isStuck = this.#intake.name === 'waiting' && this.#live.size === 0 && this.#heldBack.length > 0;
    this.#cancelRelease = isStuck ? this.#deps.clock.after(slowDataMs, () => this.#release()) : undefined;
  }

  #openItem(item: Item<Input>): void {
    // Its members go before the next item.
    this.#intake = { name: 'waiting' };
    const open = new OpenItem(item, this.#deps);
    this.#open.add(open);
    this.#carryOut(open, open.open());
    this.#intake = { name: 'idle' };
  }

  async #make(item: OpenItem<Input>, attempt: ItemAttempt): Promise<void> {
    const { watch, clock, deadlineAtMs } = this.#deps;
    watch.attemptBegun(attempt, item.isFirstMade(attempt));
    this.#unsent.add(attempt);
    const made = makeAttempt(item, attempt, this.#attemptDeps, this.#hedgeOf(item, attempt));
    watch.changed();
    await made;
    this.#sent(attempt);
    const hasTime = clock.epochMs() < deadlineAtMs(item.index);
    // Who stops wants no more; a resume will hand it out.
    if (this.#phase.name !== 'stopping')
      this.#carryOut(item, item.ended(attempt, this.#phase.name === 'running' && hasTime));
    await attempt.rollout?.finished;
    watch.attemptEnded(attempt);
    this.#live.delete(attempt);
    this.pump();
    this.#releaseForData();
    watch.changed();
    this.#wake();
  }

  #hedgeOf(item: OpenItem<Input>, attempt: ItemAttempt): { afterMs: number; onSlow: () => void } | undefined {
    const { hedge } = this.#deps.rules;
    return hedge && { afterMs: hedge.afterMs, onSlow: () => this.#carryOut(item, item.slow(attempt)) };
  }

  #sent(attempt: ItemAttempt): void {
    if (this.#unsent.delete(attempt)) this.pump();
  }
}
