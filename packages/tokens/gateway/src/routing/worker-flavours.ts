import type { Worker } from './worker.ts';
import type { TranslatedWire } from '../model-wires/chat/wire-translation.ts';
import type { EngineFlavour } from '../engines/engine-profiles.ts';

/** Remembers which workers turned out to have no route for a wire. A worker that is removed and added anew is asked anew. */
export class NativeRoutes {
  readonly #missing = new WeakMap<Worker, Set<TranslatedWire>>();

  /** True if the route is worth a try: it is there, or nothing is known of it. */
  mayHave(worker: Worker, wire: TranslatedWire): boolean {
    return this.#missing.get(worker)?.has(wire) !== true;
  }

  /** Notes that a worker has none. */
  lacks(worker: Worker, wire: TranslatedWire): void {
    const missing = this.#missing.get(worker);
    if (missing === undefined) this.#missing.set(worker, new Set([wire]));
    else missing.add(wire);
  }
}

/** Where nothing is known of a worker it is taken for vLLM, as the gateways are that ours replaces. */
const assumedFlavour: EngineFlavour = 'vllm';

type Knowledge =
  | { kind: 'asking'; answer: Promise<EngineFlavour> }
  | { kind: 'known'; flavour: EngineFlavour };

/** Dependencies of the search for a worker's flavour. */
interface WorkerFlavoursOptions {
  /** Asks the worker. @throws where it cannot be reached */
  detect: (worker: Worker) => Promise<EngineFlavour>;
  /** A call waits so long for the answer, and continues with the assumption. */
  waitMs: number;
}

/** Remembers what kind of server each worker is. */
export class WorkerFlavours {
  readonly #options: WorkerFlavoursOptions;
  readonly #known = new Map<Worker, Knowledge>();

  constructor(options: WorkerFlavoursOptions) {
    this.#options = options;
  }

  /** Begins to ask; what is known already is not asked again. */
  ask(worker: Worker): Promise<EngineFlavour> {
    const known = this.#known.get(worker);
    if (known !== undefined) return known.kind === 'known' ? Promise.resolve(known.flavour) : known.answer;
    const answer = this.#options.detect(worker).then(
      (flavour) => {
        if (this.#known.has(worker)) this.#known.set(worker, { kind: 'known', flavour });
        return flavour;
      },
      () => {
        // It may be starting up: the next call asks again.
        this.#known.delete(worker);
        return assumedFlavour;
      },
    );
    this.#known.set(worker, { kind: 'asking', answer });
    return answer;
  }

  /** The known flavour, or the one that is about to be known within the bound. */
  of(worker: Worker): EngineFlavour | Promise<EngineFlavour> {
    if (worker.givenFlavour !== undefined) return worker.givenFlavour;
    const known = this.#known.get(worker);
    if (known?.kind === 'known') return known.flavour;
    return this.#within(this.ask(worker));
  }

  /** The flavour as far as it is known without asking, for lists. */
  knownOf(worker: Worker): EngineFlavour | undefined {
    if (worker.givenFlavour !== undefined) return worker.givenFlavour;
    const known = this.#known.get(worker);
    return known?.kind === 'known' ? known.flavour : undefined;
  }

  forget(worker: Worker): void {
    this.#known.delete(worker);
  }

  async #within(answer: Promise<EngineFlavour>): Promise<EngineFlavour> {
    const { promise: late, resolve } = Promise.withResolvers<EngineFlavour>();
    const timer = setTimeout(resolve, this.#options.waitMs, assumedFlavour);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
