import { refuseOption } from '@art/ground';

/** The background work of this process, in the shape of AWS's TypeScript SDK. */
export interface AsyncTaskInfo {
  activeCount: number;
  runningJobs: {
    name: string;
    /** Seconds since the task began. */
    duration: number;
    metadata?: Record<string, unknown>;
  }[];
}

interface AsyncTask {
  name: string;
  startedAtMs: number;
  metadata: Record<string, unknown> | undefined;
  isRollout: boolean;
}

/** Keeps count of background work: while there is any, the session reports `HealthyBusy`. */
export class AsyncTasks {
  readonly #tasks = new Map<number, AsyncTask>();
  readonly #nowMs: () => number;
  #lastId = 0;
  /** Called when a task has begun or ended. */
  onChange: (() => void) | undefined;

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @throws ArtError `ART_INVALID_OPTION` */
  add(name: string, metadata?: Record<string, unknown>, isRollout = false): number {
    if (typeof name !== 'string' || name === '') {
      refuseOption('name', 'a non-empty string', name);
    }
    this.#lastId += 1;
    this.#tasks.set(this.#lastId, { name, startedAtMs: this.#nowMs(), metadata, isRollout });
    this.onChange?.();
    return this.#lastId;
  }

  /** True if the task was running. */
  complete(id: number): boolean {
    const wasRunning = this.#tasks.delete(id);
    if (wasRunning) this.onChange?.();
    return wasRunning;
  }

  /** Wraps a function so that every call counts as a task until it has settled. */
  track<A extends unknown[], R>(run: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
    if (typeof run !== 'function') {
      refuseOption('run', 'a function', run);
    }
    const name = run.name === '' ? 'anonymous' : run.name;
    // oxlint-disable-next-line typescript/no-this-alias -- the wrapper must pass on its caller's `this`
    const tasks = this;
    const tracked = async function (this: unknown, ...args: A): Promise<R> {
      const id = tasks.add(name);
      try {
        return await run.apply(this, args);
      } finally {
        tasks.complete(id);
      }
    };
    Object.defineProperty(tracked, 'name', { value: name });
    return tracked;
  }

  get busy(): boolean {
    return this.#tasks.size > 0;
  }

  /** True if rollouts are among them. */
  get hasRollouts(): boolean {
    return [...this.#tasks.values()].some(({ isRollout }) => isRollout);
  }

  info(): AsyncTaskInfo {
    return {
      activeCount: this.#tasks.size,
      runningJobs: [...this.#tasks.values()].map(({ name, startedAtMs, metadata }) => ({
        name,
        duration: (this.#nowMs() - startedAtMs) / 1_000,
        ...(metadata === undefined ? {} : { metadata }),
      })),
    };
  }
}
