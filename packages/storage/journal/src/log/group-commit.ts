import type { Clock, ArtError } from '@art/ground';

export interface GroupCommitOptions {
  /** Makes text durable; never called twice at a time. A failure is final. */
  write: (text: string) => Promise<void>;
  clock: Clock;
  /** How long a line that somebody waits for gathers others, in milliseconds; 0 for none. */
  gatherMs: number;
  /** How long a line that nobody waits for may stay in memory, in milliseconds. */
  lingerMs: number;
  /** Turns the failure that ends the log into the error of all waiting and later writers. */
  asArtError: (error: unknown) => ArtError;
}

type Phase =
  | { name: 'idle' }
  | { name: 'waiting'; isUrgent: boolean; cancelTimer: () => void }
  | { name: 'writing' }
  | { name: 'failed'; error: ArtError };

/** Lines that are added while others are being written share the next write, so that a slow disk costs latency and not throughput. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #broken = new AbortController();
  #phase: Phase = { name: 'idle' };
  #lines: string[] = [];
  /** The awaited next write; undefined where nothing waits for it. */
  #awaited: PromiseWithResolvers<void> | undefined;

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
  async flush(): Promise<void> {
    if (this.#phase.name === 'failed') throw this.#phase.error;
    if (this.#phase.name === 'idle' && this.#lines.length === 0) return;
    this.#awaited ??= Promise.withResolvers();
    if (this.#phase.name === 'waiting' && !this.#phase.isUrgent) {
      this.#phase.cancelTimer();
      this.#phase = { name: 'idle' };
    }
    const { promise } = this.#awaited;
    if (this.#phase.name === 'idle') this.#writeAfter(this.#options.gatherMs, true);
    await promise;
  }

  /** Ends it from outside: nothing more is written. */
  fail(cause: unknown): void {
    if (this.#phase.name === 'failed') return;
    const error = this.#options.asArtError(cause);
    if (this.#phase.name === 'waiting') this.#phase.cancelTimer();
    this.#phase = { name: 'failed', error };
    this.#lines = [];
    this.#broken.abort(error);
    this.#awaited?.reject(error);
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
    const awaited = this.#awaited;
    this.#lines = [];
    this.#awaited = undefined;
    try {
      if (lines.length > 0) await this.#options.write(`${lines.join('\n')}\n`);
    } catch (error) {
      this.fail(error);
    }
    // It may have been ended from outside while it was writing: what was written is written, but nothing may be built on it.
    const phase = this.#phase as Phase;
    if (phase.name === 'failed') {
      awaited?.reject(phase.error);
      return;
    }
    this.#phase = { name: 'idle' };
    awaited?.resolve();
    if (this.#awaited !== undefined) this.#writeAfter(this.#options.gatherMs, true);
    else if (this.#lines.length > 0) this.#writeAfter(this.#options.lingerMs, false);
  }
}
