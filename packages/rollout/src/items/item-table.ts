import { pause } from '@art/async';
import type { ItemSource } from '@art/journal';
import type { ArtError } from '@art/protocol';
import type { AttemptDeps, ItemAttempt } from './item-attempt.ts';
import { OpenItem, type OpenItemDeps } from './open-item.ts';

/** What a table works with, and whom it tells. */
export interface ItemTableDeps<Input extends object>
  extends
    Omit<AttemptDeps, 'over' | 'onLeaving'>,
    Pick<OpenItemDeps<Input>, 'rules' | 'choose' | 'inputIdPrefix' | 'onMemberSettled'> {
  /** How many sessions may be alive at once, and whether further items are opened. */
  pace: { readonly limit: number; readonly isPaused: boolean };
  /** Whether there is room for what another item would bring. */
  hasRoom: () => boolean;
  /** An item is being waited for. @param isIdle nothing is under way that would lead to another one */
  whileWaiting: <T>(next: () => Promise<T>, isIdle: boolean) => Promise<T>;
  onSettled: (item: OpenItem<Input>) => void;
  /** @param isFirst whether it is the first that this process makes for its member */
  onBegun: (attempt: ItemAttempt, isFirst: boolean) => void;
  onEnded: (attempt: ItemAttempt) => void;
  /** Something was begun, or has ended. */
  onChange: () => void;
}

// A second of the largest quota. What waits for its turn costs memory, and time of its deadline.
const mostUnsent = 1_000;

/**
 * The items of a run: takes them from the data, and begins their attempts, as many at a time as the limit allows. First come retries
 * and hedges, which hold an item up; then the members of the item that was opened last; then the next item.
 */
export class ItemTable<Input extends object> {
  readonly #source: ItemSource<Input>;
  readonly #deps: ItemTableDeps<Input>;
  readonly #attemptDeps: AttemptDeps;
  readonly #itemDeps: OpenItemDeps<Input>;
  readonly #open = new Set<OpenItem<Input>>();
  readonly #first: ItemAttempt[] = [];
  readonly #further: ItemAttempt[] = [];
  /** Attempts whose sessions may be alive, with what resolves once they are gone. */
  readonly #live = new Map<ItemAttempt, Promise<void>>();
  /** Those of them of which nothing has left this process: they wait for a turn of the runtime. */
  readonly #unsent = new Set<ItemAttempt>();
  /** Aborts when no further attempt is wanted. */
  readonly #over = new AbortController();
  #intake: { name: 'idle' | 'waiting' | 'ended' } | { name: 'failed'; error: unknown } = { name: 'idle' };
  #isClosed = false;
  #isAbandoned = false;

  constructor(source: ItemSource<Input>, deps: ItemTableDeps<Input>) {
    this.#source = source;
    this.#deps = deps;
    this.#attemptDeps = {
      ...deps,
      over: this.#over.signal,
      onLeaving: (attempt) => this.#sent(attempt),
    };
    this.#itemDeps = {
      ...deps,
      resultsOutliveSessions: deps.source.outlivesSessions,
      queue: (attempt, pauseMs) => this.#queue(attempt, pauseMs),
      onSettled: (item) => {
        this.#open.delete(item);
        deps.onSettled(item);
      },
    };
  }

  /** Items that are not settled. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Attempts under way, the oldest first. */
  live(): Iterable<ItemAttempt> {
    return this.#live.keys();
  }

  /** Whether nothing is under way and nothing more will be. */
  get isOver(): boolean {
    if (this.#live.size > 0) return false;
    return this.#isClosed || (this.hasReadAll && this.#open.size === 0);
  }

  /** Whether the data has come to its end. */
  get hasReadAll(): boolean {
    return this.#intake.name === 'ended' || this.#intake.name === 'failed';
  }

  /** What the data failed with. */
  get failure(): { error: unknown } | undefined {
    return this.#intake.name === 'failed' ? this.#intake : undefined;
  }

  /** Begins what can be begun. */
  pump(): void {
    while (this.#mayBegin) {
      const attempt = takeOpen(this.#further) ?? takeOpen(this.#first);
      if (attempt === undefined) break;
      // It counts before it begins, for it may leave at once.
      this.#live.set(attempt, Promise.resolve());
      this.#live.set(attempt, this.#make(attempt));
    }
    if (this.#mayBegin && this.#intake.name === 'idle' && !this.#deps.pace.isPaused && this.#deps.hasRoom())
      void this.#openNext();
  }

  /**
   * Begins nothing more.
   * @param over why attempts that are not sent yet end
   * @param endsLive whether attempts under way end for the same reason
   */
  close(over: ArtError, endsLive: boolean): void {
    if (!this.#isClosed) this.#source.close();
    this.#isClosed = true;
    this.#over.abort(over);
    if (endsLive) for (const { rollout } of this.#live.keys()) rollout?.end(over);
  }

  /** Begins nothing more, ends everything, and hands nothing out any more. */
  abandon(over: ArtError): void {
    this.#isAbandoned = true;
    this.close(over, true);
    for (const item of this.#open) item.abandon();
  }

  /** Settles items that were not finished before the end. @param handsOut as they are; otherwise they are dropped */
  closeOpen(handsOut: boolean): void {
    for (const item of this.#open) {
      if (handsOut) item.close();
      else item.abandon();
    }
    this.#open.clear();
    this.#over.abort();
  }

  /** Resolves when every session that was alive is gone. */
  async ended(): Promise<void> {
    await Promise.all(this.#live.values());
  }

  get #mayBegin(): boolean {
    return !this.#isClosed && this.#live.size < this.#deps.pace.limit && this.#unsent.size < mostUnsent;
  }

  /** Beside the attempts: data that is slow must not hold up a retry. */
  async #openNext(): Promise<void> {
    this.#intake = { name: 'waiting' };
    try {
      const next = () => this.#source.next();
      const item = await this.#deps.whileWaiting(next, this.#live.size === 0);
      if (this.#isClosed) return;
      if (item === undefined) this.#deps.runLog?.sourceEnded(this.#source.seen);
      else {
        const open = new OpenItem(item, this.#itemDeps);
        this.#open.add(open);
        open.open();
      }
      this.#intake = { name: item === undefined ? 'ended' : 'idle' };
    } catch (error) {
      if (this.#isClosed) return;
      this.#intake = { name: 'failed', error };
    }
    this.#deps.onChange();
    this.pump();
  }

  #queue(attempt: ItemAttempt, pauseMs: number): void {
    const add = (): void => {
      (attempt.number === 0 ? this.#first : this.#further).push(attempt);
      this.pump();
    };
    if (pauseMs === 0) return add();
    const waiting = pause(pauseMs, { clock: this.#deps.clock, signal: this.#over.signal });
    void waiting.then(add, () => undefined);
  }

  async #make(attempt: ItemAttempt): Promise<void> {
    this.#deps.onBegun(attempt, attempt.item.isFirstMade(attempt));
    this.#unsent.add(attempt);
    const making = attempt.make(this.#attemptDeps);
    this.#deps.onChange();
    const result = await making;
    this.#sent(attempt);
    this.#deps.onEnded(attempt);
    // Who stops wants no more; a resume will hand it out.
    if (this.#isAbandoned) attempt.cancelHedge?.();
    else attempt.item.ended(attempt, result, !this.#isClosed);
    await result.rollout?.finished;
    this.#live.delete(attempt);
    this.pump();
    this.#deps.onChange();
  }

  #sent(attempt: ItemAttempt): void {
    if (this.#unsent.delete(attempt)) this.pump();
  }
}

function takeOpen(queue: ItemAttempt[]): ItemAttempt | undefined {
  for (;;) {
    const attempt = queue.shift();
    if (attempt === undefined || attempt.isOpen) return attempt;
  }
}
