import type { GatewayEvent, WorkerState } from './gateway-event.ts';

type WorkerEvent = Extract<GatewayEvent, { event: 'worker' }>;

export interface WorkerFollowerOptions {
  /** The workers that there are now. */
  read: (signal: AbortSignal) => Promise<readonly WorkerState[]>;
  emit: (event: WorkerEvent) => void;
  intervalMs: number;
}

/** Tells what changes among the workers: those of the command line, and those that a trainer adds. */
export class WorkerFollower implements AsyncDisposable {
  readonly #options: WorkerFollowerOptions;
  readonly #ended = new AbortController();
  #known = new Map<string, WorkerState>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: WorkerFollowerOptions) {
    this.#options = options;
  }

  /** Looks now, and again and again until it is closed. */
  async start(): Promise<void> {
    await this.#look();
    this.#schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #schedule(): void {
    if (this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.#schedule());
    }, this.#options.intervalMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    let workers: readonly WorkerState[];
    try {
      workers = await this.#options.read(this.#ended.signal);
    } catch {
      // It is busy, or going down; the next look tells.
      return;
    }
    const before = this.#known;
    this.#known = new Map(workers.map((worker) => [worker.workerId, worker]));
    for (const worker of workers) {
      const earlier = before.get(worker.workerId);
      if (earlier === undefined) this.#options.emit({ event: 'worker', change: 'added', ...worker });
      else if (earlier.healthy !== worker.healthy)
        this.#options.emit({ event: 'worker', change: worker.healthy ? 'up' : 'down', ...worker });
    }
    for (const [workerId, worker] of before) {
      if (!this.#known.has(workerId)) this.#options.emit({ event: 'worker', change: 'removed', ...worker });
    }
  }
}

interface WireWorker {
  worker_id: string;
  url: string;
  healthy: boolean;
  flavour: string | null;
}

const timeoutMs = 5_000;

/** The workers of a gateway, as `GET /health/workers` tells them. */
export async function readWorkers(
  url: string,
  adminToken: string | undefined,
  signal: AbortSignal,
): Promise<WorkerState[]> {
  const response = await fetch(`${url}/health/workers`, {
    headers: adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (!response.ok) throw new Error(`GET /health/workers: ${response.status}`);
  const { workers } = (await response.json()) as { workers: WireWorker[] };
  return workers.map(({ worker_id: workerId, url: workerUrl, healthy, flavour }) => ({
    workerId,
    url: workerUrl,
    healthy,
    flavour,
  }));
}
