import type { ResultLocation, ResultStore } from '@art/store';
import { checkNumber } from '../check-option.ts';
import { systemClock, type Clock } from '../clock.ts';
import { Semaphore } from '../semaphore.ts';
import { judgeSweep, type BucketReport, type SweepFailure, type SweepProbe } from './judge-sweep.ts';
import { OutstandingKeys, type OutstandingKey } from './outstanding-keys.ts';
import { planSweep, type SweepPlan } from './plan-sweep.ts';
import { RecentKeys } from './recent-keys.ts';
import { untilStoreAnswers } from './store-probe.ts';
import { StorePush } from './store-push.ts';
import { SweepPace } from './sweep-pace.ts';
import { sweepStore } from './sweep-store.ts';

export type WatcherTrouble =
  | { kind: 'failed'; error: unknown; failedSweeps: number }
  | { kind: 'recovered'; failedSweeps: number };

export interface CompletionWatcherOptions {
  store: ResultStore;
  /** Longest pause from one look at the store to the next, in milliseconds. @default 1_000 */
  lagBoundMs?: number | undefined;
  /** The same while the store pushes: only what a push missed is found then. @default 5_000 */
  pushedSweepIntervalMs?: number | undefined;
  /** What a LIST costs in HEADs; at S3's prices 0.005 against 0.0004 USD per 1,000. @default 12.5 */
  listCostInHeads?: number | undefined;
  /** Requests under way at once. @default 64 */
  concurrency?: number | undefined;
  /** Told about each failed sweep, and about the first good one after it. */
  onTrouble?: ((trouble: WatcherTrouble) => void) | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

const pageKeys = 1_000;
// Between two rollouts nothing is outstanding for a moment; setting a watch up anew each time would cost more than it.
const lingerMs = 1_000;
const recentKeyCapacity = 10_000;
// The first results of very short rollouts should not wait for a whole lag bound.
const firstSweepShare = 0.5;
// One failed sweep may be chance; after a second one the store is asked a small question first.
const failedSweepsToProbe = 2;
const probeTimeoutMs = 10_000;

/**
 * Notices results for every outstanding rollout of a client. One object covers all keys, so that the cost of looking
 * grows with the pages that they fill and not with their number. Idle while nothing is outstanding; its timers never keep
 * the process alive.
 */
export class CompletionWatcher {
  readonly #store: ResultStore;
  readonly #clock: Clock;
  readonly #listCostInHeads: number;
  readonly #lagBoundMs: number;
  readonly #limit: Semaphore;
  readonly #pace: SweepPace;
  readonly #onTrouble: (trouble: WatcherTrouble) => void;
  readonly #buckets = new Map<string, OutstandingKeys>();
  readonly #push: StorePush | undefined;
  readonly #recent = new RecentKeys(recentKeyCapacity);
  #cancelTimer: (() => void) | undefined;
  #cancelLinger: (() => void) | undefined;
  #sweep: AbortController | undefined;
  /** Whoever may not list can still ask for each key. */
  #mayList = true;
  /** When the sweep before the next one began; undefined when nothing was outstanding since. */
  #sweptAtMs: number | undefined;
  #lastSweepMs: number | undefined;
  #foundSinceSweep = 0;
  #isClosed = false;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: CompletionWatcherOptions) {
    const {
      lagBoundMs = 1_000,
      pushedSweepIntervalMs = 5_000,
      listCostInHeads = 12.5,
      concurrency = 64,
    } = options;
    checkNumber('lagBoundMs', lagBoundMs, { above: 0 });
    checkNumber('pushedSweepIntervalMs', pushedSweepIntervalMs, { above: 0 });
    checkNumber('listCostInHeads', listCostInHeads, { above: 0 });
    checkNumber('concurrency', concurrency, { above: 0, integer: true });
    this.#store = options.store;
    this.#clock = options.clock ?? systemClock;
    this.#listCostInHeads = listCostInHeads;
    this.#lagBoundMs = lagBoundMs;
    this.#limit = new Semaphore(concurrency);
    this.#pace = new SweepPace({ lagBoundMs, pushedSweepIntervalMs });
    this.#onTrouble = options.onTrouble ?? (() => undefined);
    if (options.store.watch !== undefined) {
      this.#push = new StorePush(options.store, {
        onKey: (bucket, key) => {
          if (!this.#notice(bucket, key)) this.#recent.add(bucket, key);
        },
        onReady: () => this.#sweepSoon(),
      });
    }
  }

  /** How many keys are waited for. */
  get outstanding(): number {
    let count = 0;
    for (const keys of this.#buckets.values()) count += keys.size;
    return count;
  }

  /** Resolves when the key is in the store; rejects with the signal's reason. One wait a key at a time. */
  noticed(at: ResultLocation, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      if (this.#recent.take(at.bucket, at.key)) {
        resolve();
        return;
      }
      this.#cancelLinger?.();
      this.#cancelLinger = undefined;
      const onAbort = (): void => {
        this.#take(at.bucket, at.key);
        reject(signal.reason as Error);
      };
      const keys = this.#buckets.get(at.bucket) ?? new OutstandingKeys();
      this.#buckets.set(at.bucket, keys);
      keys.add(at.key, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#push?.cover(at);
      this.#schedule();
    });
  }

  /** Ends all looking. Outstanding waits stay pending until their signals abort. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLinger?.();
    this.#cancelTimer?.();
    this.#sweep?.abort(new Error('the watcher was closed'));
    await this.#push?.close();
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#sweep !== undefined || this.#isClosed) return;
    const intervalMs = this.#pace.intervalMs(this.#push?.isWorking === true);
    const delayMs =
      this.#sweptAtMs === undefined
        ? Math.min(this.#lagBoundMs * firstSweepShare, intervalMs)
        : intervalMs - (this.#clock.nowMs() - this.#sweptAtMs);
    this.#sweepAfter(Math.max(0, delayMs));
  }

  #sweepSoon(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#buckets.size > 0 && this.#sweep === undefined && !this.#isClosed) this.#sweepAfter(0);
  }

  #sweepAfter(delayMs: number): void {
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      this.#cancelTimer = undefined;
      void this.#runSweep();
    });
  }

  async #runSweep(): Promise<void> {
    const sweep = new AbortController();
    this.#sweep = sweep;
    const startedMs = this.#clock.nowMs();
    // Time in which nothing was outstanding says nothing about how often results come.
    const sinceLastMs = Math.min(
      this.#lagBoundMs,
      startedMs - (this.#lastSweepMs ?? startedMs - this.#lagBoundMs * firstSweepShare),
    );
    this.#lastSweepMs = startedMs;
    this.#sweptAtMs = startedMs;
    const failuresBefore = this.#pace.failures;
    let costInHeads = 0;
    let failure: SweepFailure | undefined;
    try {
      const reports = await Promise.all(
        [...this.#buckets].map(([bucket, keys]) => {
          const outstanding = keys.sorted();
          const plan = this.#plan(outstanding);
          costInHeads += plan.costInHeads;
          return this.#sweepBucket(bucket, outstanding, plan, sweep.signal);
        }),
      );
      failure = judgeSweep(reports);
      if (failure?.isListDenied === true) this.#mayList = false;
    } catch (error) {
      // Ended early because the last outstanding key was found: as good a sweep as any.
      if (!sweep.signal.aborted) failure = { error };
    }
    if (sweep.signal.aborted && this.#foundSinceSweep === 0) {
      // Everybody gave up meanwhile: nothing was learned of the store.
    } else if (failure === undefined) {
      const tookMs = this.#clock.nowMs() - startedMs;
      this.#pace.succeeded({ tookMs, sinceLastMs, found: this.#foundSinceSweep, costInHeads });
      if (failuresBefore > 0) this.#onTrouble({ kind: 'recovered', failedSweeps: failuresBefore });
    } else {
      this.#pace.failed();
      this.#reportFailure(failure.error);
    }
    this.#foundSinceSweep = 0;
    if (failure?.probe !== undefined && this.#pace.failures >= failedSweepsToProbe)
      await this.#waitForStore(failure.probe, sweep.signal);
    this.#sweep = undefined;
    if (this.#buckets.size > 0) this.#schedule();
    else this.#sweptAtMs = undefined;
  }

  #reportFailure(error: unknown): void {
    this.#onTrouble({ kind: 'failed', error, failedSweeps: this.#pace.failures });
  }

  async #waitForStore(probe: SweepProbe, signal: AbortSignal): Promise<void> {
    const { kind, bucket, key } = probe;
    try {
      await untilStoreAnswers({
        ask: (limit) =>
          kind === 'list'
            ? this.#store.list!({ bucket, prefix: key, limit: 1 }, { signal: limit })
            : this.#store.exists({ bucket, key }, { signal: limit }),
        everyMs: this.#lagBoundMs,
        timeoutMs: probeTimeoutMs,
        clock: this.#clock,
        signal,
        onFailure: (error) => {
          this.#pace.probeFailed();
          this.#reportFailure(error);
        },
      });
      this.#pace.answered();
    } catch {
      // Nothing is outstanding any more.
    }
  }

  #plan(keys: readonly OutstandingKey[]): SweepPlan {
    const canList = this.#mayList && this.#store.list !== undefined;
    return planSweep(keys, { canList, listCostInHeads: this.#listCostInHeads, pageKeys });
  }

  async #sweepBucket(
    bucket: string,
    keys: readonly OutstandingKey[],
    plan: SweepPlan,
    signal: AbortSignal,
  ): Promise<BucketReport> {
    const failures = await sweepStore({
      store: this.#store,
      bucket,
      keys,
      plan,
      listCostInHeads: this.#listCostInHeads,
      limit: this.#limit,
      clock: this.#clock,
      requestTimeoutMs: this.#pace.requestTimeoutMs,
      signal,
      onFound: (key) => this.#notice(bucket, key),
    });
    return { ...failures, bucket, keys, tasks: plan.tasks.length };
  }

  #notice(bucket: string, key: string): boolean {
    const found = this.#take(bucket, key);
    if (found === undefined) return false;
    this.#foundSinceSweep += 1;
    found();
    return true;
  }

  #take(bucket: string, key: string): (() => void) | undefined {
    const keys = this.#buckets.get(bucket);
    const found = keys?.take(key);
    if (keys?.size === 0) this.#buckets.delete(bucket);
    if (this.#buckets.size === 0 && !this.#isClosed) this.#rest();
    return found;
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sweep?.abort(new Error('nothing is outstanding any more'));
    if (this.#sweep === undefined) this.#sweptAtMs = undefined;
    if (this.#push === undefined) return;
    this.#cancelLinger ??= this.#clock.after(lingerMs, () => {
      this.#cancelLinger = undefined;
      this.#recent.clear();
      void this.#push?.close();
    });
  }
}
