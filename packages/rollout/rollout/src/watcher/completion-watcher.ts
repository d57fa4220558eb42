import { backgroundClock, type Clock, Semaphore, readOptions } from '@art/ground';
import type { ResultLocation, ResultStore } from '@art/store';
import { Alarm } from './alarm.ts';
import { evenSample, OutstandingKeys, type OutstandingKey } from './outstanding-keys.ts';
import { pageKeys } from './plan-sweep.ts';
import { untilStoreAnswers } from './store-probe.ts';
import { RecentKeys, StorePush } from './store-push.ts';
import { SweepPace } from './sweep-pace.ts';
import { sweepStore, type SweepProbe } from './sweep-store.ts';
import { type CompletionWatcherOptions, type WatcherTrouble, watchRules } from './watch-options.ts';
import { shortestIntervalMs, SweepSchedule, type NextLook, type ScheduleState } from './sweep-schedule.ts';

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
  readonly #schedule: SweepSchedule;
  readonly #onTrouble: (trouble: WatcherTrouble) => void;
  readonly #buckets = new Map<string, OutstandingKeys>();
  readonly #push: StorePush | undefined;
  readonly #recent = new RecentKeys(recentKeyCapacity);
  readonly #alarm: Alarm;
  #cancelLinger: (() => void) | undefined;
  #sweep: AbortController | undefined;
  /** True until the store refuses to list. Without a list the watcher asks for each key. */
  #mayList = true;
  /** When the next sweep is due at the latest; undefined while nothing is outstanding. */
  #latestMs: number | undefined;
  #lookedAtMs: number | undefined;
  #sweepCostInHeads = 0;
  #foundSinceLook = 0;
  #isClosed = false;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: CompletionWatcherOptions) {
    const { store, onTrouble = () => undefined, clock = backgroundClock, ...given } = options;
    const { lagBoundMs, pushedSweepIntervalMs, listCostInHeads, concurrency } = readOptions(
      'CompletionWatcher',
      given,
      watchRules,
    );
    this.#store = store;
    this.#clock = clock;
    this.#alarm = new Alarm(clock);
    this.#listCostInHeads = listCostInHeads;
    this.#lagBoundMs = lagBoundMs;
    this.#limit = new Semaphore(concurrency);
    this.#pace = new SweepPace({ lagBoundMs, pushedSweepIntervalMs });
    this.#schedule = new SweepSchedule(lagBoundMs);
    this.#onTrouble = onTrouble;
    if (store.watch !== undefined) {
      this.#push = new StorePush(store, {
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
      keys.add(at.key, this.#clock.nowMs(), () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#schedule.added(keys.size);
      this.#push?.cover(at);
      this.#planSoon();
    });
  }

  /** Ends all looking. Outstanding waits stay pending until their signals abort. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLinger?.();
    this.#alarm.cancel();
    this.#sweep?.abort(new Error('the watcher was closed'));
    await this.#push?.close();
  }

  /** More is waited for: the next look may be due sooner. */
  #planSoon(): void {
    const nowMs = this.#clock.nowMs();
    this.#latestMs ??= nowMs + Math.min(this.#lagBoundMs * firstSweepShare, this.#intervalMs);
    const atMs = Math.min(this.#latestMs, nowMs + shortestIntervalMs);
    if (this.#sweep === undefined && !this.#isClosed && this.#alarm.atMs > atMs)
      this.#alarm.set(atMs, () => this.#plan());
  }

  #plan(): void {
    if (this.#isClosed || this.#latestMs === undefined) return;
    const state = this.#scheduleState(this.#latestMs);
    const isPlain = this.#pace.failures > 0 || this.#push?.isWorking === true;
    const look: NextLook = isPlain ? { kind: 'sweep', atMs: this.#latestMs } : this.#schedule.next(state);
    this.#alarm.set(look.atMs, () => {
      this.#schedule.begun(look, state);
      void this.#runSweep(look.kind);
    });
  }

  #scheduleState(latestMs: number): ScheduleState {
    const nowMs = this.#clock.nowMs();
    const outstanding = this.outstanding;
    const pages = Math.ceil(outstanding / pageKeys) * this.#listCostInHeads;
    return {
      nowMs,
      lookedAtMs: this.#lookedAtMs,
      latestMs,
      outstanding,
      oldestMs: Math.min(nowMs, ...Array.from(this.#buckets.values(), (keys) => keys.oldestMs ?? nowMs)),
      costInHeads: Math.min(outstanding, this.#canList ? Math.max(pages, this.#sweepCostInHeads) : Infinity),
    };
  }

  #sweepSoon(): void {
    if (this.#buckets.size === 0 || this.#sweep !== undefined || this.#isClosed) return;
    this.#alarm.set(this.#clock.nowMs(), () => void this.#runSweep('sweep'));
  }

  get #intervalMs(): number {
    return this.#pace.intervalMs(this.#push?.isWorking === true);
  }

  get #canList(): boolean {
    return this.#mayList && this.#store.list !== undefined;
  }

  async #runSweep(kind: NextLook['kind']): Promise<void> {
    const sweep = new AbortController();
    this.#sweep = sweep;
    const startedMs = this.#clock.nowMs();
    this.#lookedAtMs = startedMs;
    const failuresBefore = this.#pace.failures;
    const keys = Array.from(this.#buckets, ([bucket, keys]) => {
      const all = keys.sorted();
      return [bucket, kind === 'sample' ? evenSample(all, 2) : all] as const;
    });
    const { costInHeads, failure, listError } = await sweepStore({
      store: this.#store,
      keys: new Map(keys),
      canList: this.#canList,
      listCostInHeads: this.#listCostInHeads,
      limit: this.#limit,
      clock: this.#clock,
      requestTimeoutMs: this.#pace.requestTimeoutMs,
      signal: sweep.signal,
      onFound: (bucket, key) => this.#notice(bucket, key),
    });
    if (sweep.signal.aborted && this.#foundSinceLook === 0) {
      // Everybody gave up meanwhile: nothing was learned of the store.
    } else if (failure === undefined) {
      this.#pace.succeeded(this.#clock.nowMs() - startedMs);
      if (failuresBefore > 0) this.#onTrouble({ kind: 'recovered', failedSweeps: failuresBefore });
    } else {
      this.#pace.failed();
      this.#reportFailure(failure.error);
    }
    if (listError !== undefined && this.#mayList) {
      this.#mayList = false;
      this.#onTrouble({ kind: 'failed', error: listError, failedSweeps: 1 });
      if (failure === undefined) this.#onTrouble({ kind: 'recovered', failedSweeps: 1 });
    }
    if (failure === undefined) this.#schedule.ended(kind, startedMs, this.#foundSinceLook);
    if (kind === 'sweep') this.#sweepCostInHeads = costInHeads;
    this.#foundSinceLook = 0;
    if (failure !== undefined && this.#pace.failures >= failedSweepsToProbe)
      await this.#waitForStore(failure.probe, sweep.signal);
    this.#sweep = undefined;
    if (this.#buckets.size === 0) this.#latestMs = undefined;
    else if (kind === 'sweep' || failure !== undefined) this.#latestMs = startedMs + this.#intervalMs;
    this.#plan();
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

  #notice(bucket: string, key: string): boolean {
    const taken = this.#take(bucket, key);
    if (taken === undefined) return false;
    this.#foundSinceLook += 1;
    this.#schedule.found();
    taken.found?.();
    return true;
  }

  #take(bucket: string, key: string): OutstandingKey | undefined {
    const keys = this.#buckets.get(bucket);
    const taken = keys?.take(key);
    if (keys?.size === 0) this.#buckets.delete(bucket);
    if (this.#buckets.size === 0 && !this.#isClosed) this.#rest();
    return taken;
  }

  #rest(): void {
    this.#alarm.cancel();
    this.#sweep?.abort(new Error('nothing is outstanding any more'));
    if (this.#sweep === undefined) this.#latestMs = undefined;
    if (this.#push === undefined) return;
    this.#cancelLinger ??= this.#clock.after(lingerMs, () => {
      this.#cancelLinger = undefined;
      this.#recent.clear();
      void this.#push?.close();
    });
  }
}
