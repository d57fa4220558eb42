import { pause } from '@art/async';
import { AgentStartError } from './agent-start-error.ts';
import type { AgentProcess } from './start-agent-process.ts';

export interface WarmPoolOptions {
  /** How many healthy processes to keep ahead of demand; 0 starts on demand only. */
  size: number;
  stopGraceMs: number;
  /** Starts one process, to be killed after a time where there is one; rejects without leaving one behind. */
  start(signal: AbortSignal, killAfterMs?: number): Promise<AgentProcess>;
}

/** A healthy process for a session, and whether it was ready before it was asked for. */
export interface TakenProcess {
  agent: AgentProcess;
  warm: boolean;
}

type Waiter = PromiseWithResolvers<TakenProcess>;

const firstRefillPauseMs = 500;
const longestRefillPauseMs = 30_000;

/**
 * Supply of one agent's processes. Starts belong to nobody: whichever process becomes healthy first goes to whoever has
 * waited longest, and what is left over fills the pool.
 */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  readonly #ready: AgentProcess[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #launches = new Set<AbortController>();
  readonly #settling = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  /** Failures in a row without anybody waiting; a broken agent must not be restarted in a tight loop. */
  #idleFailures = 0;
  #refillPaused = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
  }

  /** Healthy processes that no session has taken. */
  get readyCount(): number {
    return this.#ready.length;
  }

  /**
   * A healthy process, from the pool or newly started.
   * @throws AgentStartError, or the signal's reason.
   */
  async take(signal: AbortSignal): Promise<TakenProcess> {
    signal.throwIfAborted();
    const ready = this.#ready.shift();
    if (ready !== undefined) {
      this.topUp();
      return { agent: ready, warm: true };
    }
    const waiter: Waiter = Promise.withResolvers();
    const onAbort = (): void => {
      const index = this.#waiters.indexOf(waiter);
      // Served in this very moment: whoever asked will find the process and end it.
      if (index < 0) return;
      this.#waiters.splice(index, 1);
      waiter.reject(signal.reason);
      this.#trim();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    void waiter.promise.then(
      () => signal.removeEventListener('abort', onAbort),
      () => signal.removeEventListener('abort', onAbort),
    );
    this.#waiters.push(waiter);
    this.topUp();
    return waiter.promise;
  }

  /**
   * A process of its own that is killed so long after its start, on purpose; it may become healthy before.
   * @throws AgentStartError, or the signal's reason.
   */
  startDoomed(signal: AbortSignal, killAfterMs: number): Promise<TakenProcess> {
    const start = this.#options.start(AbortSignal.any([signal, this.#closing.signal]), killAfterMs);
    this.#track(start.catch(() => undefined));
    return start.then((agent) => ({ agent, warm: false }));
  }

  /** Starts what is missing, in the background. */
  topUp(): void {
    while (!this.#closing.signal.aborted && this.#launches.size < this.#wanted()) this.#launch();
  }

  /** Replaces every process that no session has taken, those that are starting included. */
  renew(): void {
    // Their places are free only when they are gone; `topUp` follows then.
    for (const launch of this.#launches) launch.abort(new Error('The agent is started anew.'));
    for (const process of this.#ready.splice(0)) this.#discard(process);
    this.topUp();
  }

  /** Ends every process that no session has taken. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The local runtime is closing.'));
    for (const launch of this.#launches) launch.abort(this.#closing.signal.reason);
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#closing.signal.reason);
    for (const process of this.#ready.splice(0)) this.#discard(process);
    await Promise.all(this.#settling);
  }

  #wanted(): number {
    const ahead = this.#refillPaused ? 0 : Math.max(0, this.#options.size - this.#ready.length);
    return this.#waiters.length + ahead;
  }

  #launch(): void {
    const launch = new AbortController();
    this.#launches.add(launch);
    this.#track(
      this.#options.start(launch.signal).then(
        (process) => {
          this.#launches.delete(launch);
          this.#idleFailures = 0;
          // It had become healthy before it heard that nobody wants it.
          if (launch.signal.aborted) this.#discard(process);
          else this.#offer(process);
          this.topUp();
        },
        (error: unknown) => {
          this.#launches.delete(launch);
          if (!launch.signal.aborted) this.#onStartFailed(error);
          this.topUp();
        },
      ),
    );
  }

  #offer(agent: AgentProcess): void {
    if (this.#closing.signal.aborted) {
      this.#discard(agent);
      return;
    }
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve({ agent, warm: false });
      return;
    }
    this.#ready.push(agent);
    void agent.process.exited.then(() => this.#onReadyDied(agent));
    this.#trim();
  }

  #onStartFailed(error: unknown): void {
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.reject(error);
      return;
    }
    // Nobody asked for it; whoever does will see the failure of a start of its own.
    if (error instanceof AgentStartError) error.log.discard();
    this.#pauseRefill();
  }

  #onReadyDied(agent: AgentProcess): void {
    const index = this.#ready.indexOf(agent);
    if (index < 0) return;
    this.#ready.splice(index, 1);
    agent.log.discard();
    this.#pauseRefill();
  }

  #pauseRefill(): void {
    if (this.#refillPaused || this.#closing.signal.aborted) return;
    this.#refillPaused = true;
    const pauseMs = Math.min(firstRefillPauseMs * 2 ** this.#idleFailures, longestRefillPauseMs);
    this.#idleFailures += 1;
    this.#track(
      pause(pauseMs, { signal: this.#closing.signal }).then(
        () => {
          this.#refillPaused = false;
          this.topUp();
        },
        // Nothing is filled up any more.
        () => {},
      ),
    );
  }

  /** Gives up starts and processes that nobody wants any more. */
  #trim(): void {
    for (const launch of [...this.#launches].slice(this.#wanted())) {
      this.#launches.delete(launch);
      launch.abort(new Error('Nobody waits for this process any more.'));
    }
    for (const process of this.#ready.splice(this.#options.size)) this.#discard(process);
  }

  #discard(agent: AgentProcess): void {
    this.#track(agent.process.stop(this.#options.stopGraceMs).then(() => agent.log.discard()));
  }

  #track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.#settling.delete(tracked));
    this.#settling.add(tracked);
  }
}
