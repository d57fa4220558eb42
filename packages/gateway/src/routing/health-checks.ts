import type { Worker } from './worker.ts';
import { healthAfterCheck } from './worker-health.ts';

/** What the health checks need. */
export interface HealthCheckOptions {
  /** 0 never asks. */
  intervalMs: number;
  timeoutMs: number;
  /** So many failed checks in a row make a worker dead. */
  failuresUntilDead: number;
  /** @returns status of `GET {url}/health`. @throws where there is no answer */
  ask: (worker: Worker, timeoutMs: number, signal: AbortSignal) => Promise<boolean>;
  workers: () => readonly Worker[];
  changed: (worker: Worker) => void;
}

/** Asks every worker for its health again and again, as long as there is one. */
export class HealthChecks {
  readonly #options: HealthCheckOptions;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HealthCheckOptions) {
    this.#options = options;
  }

  /** Begins, if it has not begun; the first check comes after one interval. */
  start(): void {
    const { intervalMs } = this.#options;
    if (intervalMs === 0 || this.#timer !== undefined || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#round(), intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    const workers = this.#options.workers();
    await Promise.all(workers.map((worker) => this.#check(worker)));
    this.#timer = undefined;
    this.start();
  }

  async #check(worker: Worker): Promise<void> {
    const { ask, changed, timeoutMs, failuresUntilDead } = this.#options;
    const { signal } = this.#stopped;
    const passed = await ask(worker, timeoutMs, signal).catch(() => false);
    if (signal.aborted) return;
    const before = worker.health.kind;
    worker.health = healthAfterCheck(worker.health, passed, failuresUntilDead);
    if (worker.health.kind !== before) changed(worker);
  }
}
