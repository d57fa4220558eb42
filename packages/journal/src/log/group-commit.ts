import type { Clock } from '@art/async';
import type { ArtError } from '@art/protocol';

export interface GroupCommitOptions {
  /** Makes text durable; never called twice at a time. A failure is final. */
  write: (text: string) => Promise<void>;
  clock: Clock;
  /** How long a line that somebody waits for gathers others, in milliseconds; 0 for none. */
  gatherMs: number;
  /** How long a line that nobody waits for may stay in memory, in milliseconds. */
  lingerMs: number;
  /** What the failure that ends it is to those who wait, and to all after them. */
  asArtError: (error: unknown) => ArtError;
}

type Phase =
  | { name: 'idle' }
  | { name: 'waiting'; isUrgent: boolean; cancelTimer: () => void }
  | { name: 'writing' }
  | { name: 'failed'; error: ArtError };

interface Waiter {
  resolve: () => void;
  reject: (error: ArtError) => void;
}

/** Lines that are added while others are being written share the next write, so that a slow disk costs latency and not throughput. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #broken = new AbortController();
  #phase: Phase = { name: 'idle' };
  #lines: string[] = [];
  #waiters: Waiter[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Aborts with the failure that ends it. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Adds a line that is written soon. */
  append(line: string): void {
    if (this.#phase.name === 'failed') return;
    this.#lines.push(line);
    if (this.#phase.name === 'idle') this.#writeAfter(this.#options.lingerMs, false);
  }

  /** Adds a line; resolves when it was written. */
  commit(line: string): Promise<void> {
    if (this.#phase.name !== 'failed') this.#lines.push(line);
    return this.flush();
  }

  /** Resolves when everything that was added so far was written. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#phase.name === 'failed') {
        reject(this.#phase.error);
        return;
      }
      if (this.#phase.name === 'idle' && this.#lines.length === 0) {
        resolve();
        return;
      }
      this.#waiters.push({ resolve, reject });
      if (this.#phase.name === 'waiting' && !this.#phase.isUrgent) {
        this.#phase.cancelTimer();
        this.#phase = { name: 'idle' };
      }
      if (this.#phase.name === 'idle') this.#writeAfter(this.#options.gatherMs, true);
    });
  }

  /** Ends it from outside: nothing more is written. */
  fail(cause: unknown): void {
    if (this.#phase.name === 'failed') return;
    const error = this.#options.asArtError(cause);
    if (this.#phase.name === 'waiting') this.#phase.cancelTimer();
    this.#phase = { name: 'failed', error };
    this.#lines = [];
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#broken.abort(error);
    for (const { reject } of waiters) reject(error);
  }

  #writeAfter(delayMs: number, isUrgent: boolean): void {
    if (delayMs === 0) {
      this.#phase = { name: 'waiting', isUrgent, cancelTimer: () => undefined };
      // Not at once: whatever else is added in this turn goes along.
      queueMicrotask(() => void this.#write());
      return;
    }
    const cancelTimer = this.#options.clock.after(delayMs, () => void this.#write());
    this.#phase = { name: 'waiting', isUrgent, cancelTimer };
  }

  async #write(): Promise<void> {
    if (this.#phase.name !== 'waiting') return;
    this.#phase = { name: 'writing' };
    const lines = this.#lines;
    const waiters = this.#waiters;
    this.#lines = [];
    this.#waiters = [];
    try {
      if (lines.length > 0) await this.#options.write(`${lines.join('\n')}\n`);
    } catch (error) {
      if (!this.#rejectIfFailed(waiters)) {
        this.#waiters = [...waiters, ...this.#waiters];
        this.fail(error);
      }
      return;
    }
    // What was written is written, but nothing may be built on it.
    if (this.#rejectIfFailed(waiters)) return;
    this.#phase = { name: 'idle' };
    for (const { resolve } of waiters) resolve();
    if (this.#waiters.length > 0) this.#writeAfter(this.#options.gatherMs, true);
    else if (this.#lines.length > 0) this.#writeAfter(this.#options.lingerMs, false);
  }

  /** It may have been ended from outside while it was writing. */
  #rejectIfFailed(waiters: readonly Waiter[]): boolean {
    if (this.#phase.name !== 'failed') return false;
    for (const { reject } of waiters) reject(this.#phase.error);
    return true;
  }
}
