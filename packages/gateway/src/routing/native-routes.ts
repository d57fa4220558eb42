import type { Worker } from './worker.ts';
import type { TranslatedWire } from '@art/model-wires';

/** Remembers which workers turned out to have no route for a wire. A worker that is removed and added anew is asked anew. */
export class NativeRoutes {
  readonly #missing = new WeakMap<Worker, Set<TranslatedWire>>();

  /** Whether it is worth a try: nothing is known of the route, or that it is there. */
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
