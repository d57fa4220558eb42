import type { EngineFlavour } from '../engines/engine-profiles.ts';
import { type Worker, type WorkerOptions, resolveWorkerUrl } from './worker.ts';
import { ArtError } from '@art/ground';

/** The place for which a worker is chosen. `worker` is the former one. */
interface SessionPlace {
  worker: Worker | undefined;
}

/**
 * The worker for a call: the one that the session had, so that its next call finds the prefix in the same engine's cache, else
 * the least loaded for its weight. Among equally loaded ones the one with the fewest sessions, so that sessions which arrive
 * one by one spread as well.
 */
function chooseWorker(candidates: readonly Worker[], session: SessionPlace | undefined): Worker | undefined {
  if (session?.worker !== undefined && candidates.includes(session.worker)) return session.worker;
  let best: Worker | undefined;
  for (const worker of candidates) {
    if (best === undefined || isLessLoaded(worker, best)) best = worker;
  }
  if (session !== undefined && best !== undefined) session.worker = best;
  return best;
}

function isLessLoaded(one: Worker, other: Worker): boolean {
  const load = one.activeCalls / one.weight - other.activeCalls / other.weight;
  if (load !== 0) return load < 0;
  return one.sessions / one.weight < other.sessions / other.weight;
}

/** Which worker a call wants. */
interface WorkerWish {
  /** Whose call it is. */
  session: SessionPlace | undefined;
  /** The model that the agent named. */
  model: string | undefined;
  /** Workers that this call found unreachable. */
  except?: ReadonlySet<Worker> | undefined;
}

/** Events for observers of the workers. */
interface WorkerPoolEvents {
  added(worker: Worker): void;
  removed(worker: Worker): void;
}

/** The inference servers and who is asked next. */
export class WorkerPool {
  readonly #flavour: EngineFlavour | undefined;
  readonly #workers = new Map<string, Worker>();
  // A worker that is added again keeps its first id, and is found under the later ones as well.
  readonly #byId = new Map<string, Worker>();
  readonly #events: WorkerPoolEvents[] = [];

  /** @param flavour of the workers that do not say theirs */
  constructor(flavour?: EngineFlavour) {
    this.#flavour = flavour;
  }

  watch(events: WorkerPoolEvents): void {
    this.#events.push(events);
    for (const worker of this.#workers.values()) events.added(worker);
  }

  /**
   * Adds a worker. A URL that is known already changes nothing, but the worker answers to the new id as well.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  add(workerId: string, options: WorkerOptions): Worker {
    const { url, apiPath } = resolveWorkerUrl(options.url, options.apiPath);
    const known = this.#workers.get(url);
    if (known !== undefined) {
      if (!this.#byId.has(workerId)) this.#byId.set(workerId, known);
      return known;
    }
    const worker: Worker = {
      workerId,
      url,
      apiPath,
      modelName: options.modelName,
      weight: options.weight ?? 1,
      givenFlavour: options.flavour ?? this.#flavour,
      health: { kind: 'healthy', failures: 0 },
      modelSampling: undefined,
      activeCalls: 0,
      sessions: 0,
    };
    this.#workers.set(url, worker);
    this.#byId.set(workerId, worker);
    for (const events of this.#events) events.added(worker);
    return worker;
  }

  /** Takes a worker out; calls that it has continue. False if the id is not known. */
  remove(workerId: string): boolean {
    const worker = this.#byId.get(workerId);
    if (worker === undefined) return false;
    this.#workers.delete(worker.url);
    for (const [id, owner] of this.#byId) if (owner === worker) this.#byId.delete(id);
    for (const events of this.#events) events.removed(worker);
    return true;
  }

  list(): Worker[] {
    return [...this.#workers.values()];
  }

  /** True if it matters which model a call names. */
  get namesModels(): boolean {
    for (const worker of this.#workers.values()) if (worker.modelName !== undefined) return true;
    return false;
  }

  /**
   * Chooses a worker and counts the call as its own, until `release`.
   * @throws ArtError `ART_ENGINE_NO_WORKER`
   */
  acquire(wish: WorkerWish): Worker {
    const worker = chooseWorker(this.#candidates(wish), wish.session);
    if (worker === undefined) throw this.#nobody(wish);
    worker.activeCalls += 1;
    return worker;
  }

  release(worker: Worker): void {
    worker.activeCalls -= 1;
  }

  #candidates({ model, except }: WorkerWish): Worker[] {
    const able = this.list().filter(
      (worker) => worker.health.kind === 'healthy' && except?.has(worker) !== true,
    );
    if (!this.namesModels) return able;
    const named = this.list().some((worker) => worker.modelName === model);
    // A model that nobody names goes to those that take any; if every worker names one, the engine may judge.
    const exact = able.filter((worker) => worker.modelName === (named ? model : undefined));
    return exact.length > 0 || named ? exact : able;
  }

  #nobody({ model }: WorkerWish): ArtError {
    const total = this.#workers.size;
    const message =
      total === 0
        ? 'No healthy workers available: the gateway has no worker. Add one with POST /admin/workers.'
        : `No healthy workers available: none of ${total} can take the call${model === undefined ? '' : ` for the model "${model}"`}.`;
    return new ArtError({ code: 'ART_ENGINE_NO_WORKER', message });
  }
}
