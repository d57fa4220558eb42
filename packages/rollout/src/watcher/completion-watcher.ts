import type { ResultLocation, ResultStore } from '@art/store';
import type { Clock } from '../clock.ts';
import { RecentKeys } from './recent-keys.ts';
import { StorePush } from './store-push.ts';
import { sweepStore } from './sweep-store.ts';

export interface CompletionWatcherOptions {
  store: ResultStore;
  clock: Clock;
  /** Longest pause between two looks at a store that cannot push, in milliseconds. */
  sweepIntervalMs: number;
  /** Pause between looks while the store pushes: only what a push missed is found by them. */
  pushedSweepIntervalMs: number;
  /** HEAD requests under way at once. */
  concurrency: number;
  /** Told about each failed sweep, and about the first good one after it. */
  onTrouble: (
    trouble:
      | { kind: 'failed'; error: unknown; failedSweeps: number }
      | { kind: 'recovered'; failedSweeps: number },
  ) => void;
}

const longestBackoffMs = 10_000;
// Between two rollouts nothing is outstanding for a moment; setting a watch up anew each time would cost more than it.
const lingerMs = 1_000;
const recentKeyCapacity = 10_000;

/**
 * Notices results for every outstanding rollout of a client. One object covers all keys, so that the cost of looking
 * grows with the number of pages and not with the number of rollouts. Idle while nothing is outstanding.
 */
export class CompletionWatcher {
  readonly #options: CompletionWatcherOptions;
  readonly #outstanding = new Map<string, Map<string, () => void>>();
  readonly #push: StorePush | undefined;
  readonly #recent = new RecentKeys(recentKeyCapacity);
  #cancelTimer: (() => void) | undefined;
  #cancelLinger: (() => void) | undefined;
  #sweep: AbortController | undefined;
  #failedSweeps = 0;
  #closed = false;

  constructor(options: CompletionWatcherOptions) {
    this.#options = options;
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
    for (const keys of this.#outstanding.values()) count += keys.size;
    return count;
  }

  /** Resolves when the key is in the store; rejects with the signal's reason. */
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
        this.#forget(at);
        reject(signal.reason as Error);
      };
      const keys = this.#outstanding.get(at.bucket) ?? new Map<string, () => void>();
      this.#outstanding.set(at.bucket, keys);
      keys.set(at.key, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#push?.cover(at);
      this.#schedule(this.#intervalMs);
    });
  }

  /** Ends all looking. Outstanding waits stay pending until their signals abort. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelLinger?.();
    this.#cancelTimer?.();
    this.#sweep?.abort(new Error('the watcher was closed'));
    await this.#push?.close();
  }

  get #intervalMs(): number {
    const base =
      this.#push?.isWorking === true ? this.#options.pushedSweepIntervalMs : this.#options.sweepIntervalMs;
    return this.#failedSweeps === 0 ? base : Math.min(longestBackoffMs, base * 2 ** this.#failedSweeps);
  }

  #schedule(delayMs: number): void {
    if (this.#cancelTimer !== undefined || this.#sweep !== undefined || this.#closed) return;
    this.#cancelTimer = this.#options.clock.after(delayMs, () => {
      this.#cancelTimer = undefined;
      void this.#runSweep();
    });
  }

  #sweepSoon(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#outstanding.size > 0) this.#schedule(0);
  }

  async #runSweep(): Promise<void> {
    const { store, concurrency, onTrouble } = this.#options;
    const sweep = new AbortController();
    this.#sweep = sweep;
    try {
      for (const [bucket, keys] of this.#outstanding) {
        await sweepStore({
          store,
          bucket,
          keys: [...keys.keys()],
          concurrency,
          signal: sweep.signal,
          onFound: (key) => this.#notice(bucket, key),
        });
      }
      if (this.#failedSweeps > 0) onTrouble({ kind: 'recovered', failedSweeps: this.#failedSweeps });
      this.#failedSweeps = 0;
    } catch (error) {
      if (!sweep.signal.aborted) {
        this.#failedSweeps += 1;
        onTrouble({ kind: 'failed', error, failedSweeps: this.#failedSweeps });
      }
    }
    // A sweep that was ended because nothing was outstanding may have been followed by a new wait in the meantime.
    this.#sweep = undefined;
    if (this.#outstanding.size > 0) this.#schedule(this.#intervalMs);
  }

  #notice(bucket: string, key: string): boolean {
    const found = this.#outstanding.get(bucket)?.get(key);
    if (found === undefined) return false;
    this.#forget({ bucket, key });
    found();
    return true;
  }

  #forget(at: ResultLocation): void {
    const keys = this.#outstanding.get(at.bucket);
    keys?.delete(at.key);
    if (keys?.size === 0) this.#outstanding.delete(at.bucket);
    if (this.#outstanding.size === 0 && !this.#closed) this.#rest();
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sweep?.abort(new Error('nothing is outstanding any more'));
    if (this.#push === undefined) return;
    this.#cancelLinger ??= this.#options.clock.after(lingerMs, () => {
      this.#cancelLinger = undefined;
      this.#recent.clear();
      void this.#push?.close();
    });
  }
}
