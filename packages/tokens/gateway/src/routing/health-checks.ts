import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { Worker, WorkerHealth } from './worker.ts';

/** The health after one more check; so many failed ones in a row make a worker dead, and one good check brings it back. */
function healthAfterCheck(health: WorkerHealth, passed: boolean, failuresUntilDead: number): WorkerHealth {
  if (passed) return { kind: 'healthy', failures: 0 };
  if (health.kind === 'dead') return health;
  const failures = health.failures + 1;
  return failures >= failuresUntilDead ? { kind: 'dead' } : { kind: 'healthy', failures };
}

// A server without the route cannot say more than that it answers; a dead or a starting engine does not say this.
const noSuchRoute = new Set([404, 405]);

/** True if a worker's answer to `GET /health` means that it is up. */
export function showsHealth(status: number, flavour: EngineFlavour | undefined): boolean {
  return status === 200 || noSuchRoute.has(status) || (flavour === 'openai' && status < 500);
}

/** Dependencies of the health checks. */
interface HealthCheckOptions {
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
