import { WorkerPool } from '../routing/worker-pool.ts';
import type { Worker, WorkerOptions } from '../routing/worker.ts';
import { WeightVersion } from '../sessions/weight-version.ts';
import { askLink, type Shards } from './shards.ts';
import type { ShardLink, ShardRequest } from './shard-link.ts';

/**
 * What all gateway processes have to agree on: the workers and the weight version. It is kept here, so that a process that
 * is started again learns what was changed since the gateway began.
 */
export class SharedSettings {
  /** Only the list; nobody is asked through it. */
  readonly #workers = new WorkerPool();
  readonly #weights = new WeightVersion();
  readonly #headers: readonly string[];
  /** Changes and starts come one after the other: a process that starts misses none. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param headers what control routes want to see */
  constructor(workers: readonly (WorkerOptions & { workerId: string })[], headers: readonly string[]) {
    for (const worker of workers) this.#workers.add(worker.workerId, worker);
    this.#headers = headers;
  }

  get weightVersion(): number | undefined {
    return this.#weights.current;
  }

  /** @throws ApiError 502 */
  addWorker(shards: Shards, workerId: string, options: WorkerOptions): Promise<Worker> {
    return this.#inTurn(async () => {
      const worker = this.#workers.add(workerId, options);
      // A URL that was known keeps its first id here and there, and answers to this one as well.
      await this.#tell(shards, this.#post('/admin/workers', { ...workerBody(worker), worker_id: workerId }));
      return worker;
    });
  }

  /** False if the id is not known. @throws ApiError 502 */
  removeWorker(shards: Shards, workerId: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = this.#workers.list();
      if (!this.#workers.remove(workerId)) return false;
      const left = new Set(this.#workers.list());
      for (const worker of before.filter((one) => !left.has(one))) {
        // By its first id, which also those know that were started later.
        const path = `/admin/workers/${encodeURIComponent(worker.workerId)}`;
        await this.#tell(shards, { method: 'DELETE', path, headers: [...this.#headers] });
      }
      return true;
    });
  }

  /** False if it is no version. @throws ApiError 502 */
  setWeightVersion(shards: Shards, value: unknown): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!this.#weights.set(value)) return false;
      await this.#tell(shards, this.#weightRequest());
      return true;
    });
  }

  /** Brings a gateway that has just started up to date. @throws ApiError 502 */
  bring(link: ShardLink): Promise<void> {
    return this.#inTurn(async () => {
      for (const worker of this.#workers.list()) {
        await askLink(link, this.#post('/admin/workers', workerBody(worker)));
      }
      if (this.weightVersion !== undefined) await askLink(link, this.#weightRequest());
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  // One that is starting is told by `bring`.
  async #tell(shards: Shards, request: ShardRequest): Promise<void> {
    const links = shards.all.flatMap(({ link }) => (link === undefined ? [] : [link]));
    const told = await Promise.allSettled(links.map((link) => askLink(link, request)));
    const failed = told.find((one) => one.status === 'rejected');
    // One that ended in the meantime is told when it is started again.
    const isUp = shards.all.some(({ link }) => link !== undefined);
    if (failed !== undefined && !isUp) throw failed.reason;
  }

  #post(path: string, body: unknown): ShardRequest {
    const headers = [...this.#headers, 'content-type', 'application/json'];
    return { method: 'POST', path, headers, body: Buffer.from(JSON.stringify(body)) };
  }

  #weightRequest(): ShardRequest {
    return this.#post('/admin/weight_version', { weight_version: this.weightVersion });
  }
}

function workerBody(worker: Worker): Record<string, unknown> {
  return {
    worker_id: worker.workerId,
    url: worker.url,
    api_path: worker.apiPath,
    model_name: worker.modelName,
    weight: worker.weight,
    flavour: worker.givenFlavour,
  };
}
