import { setTimeout as delay } from 'node:timers/promises';
import type { PutOptions, PutOutcome, ResultLocation, ResultStore } from '@art/store';

/** A store that takes a while for each result and keeps only its key: what is measured is the server. */
export class CountingStore implements ResultStore {
  readonly #putMs: number;
  readonly #keys = new Set<string>();

  constructor(putMs: number) {
    this.#putMs = putMs;
  }

  /** Different results so far. */
  get stored(): number {
    return this.#keys.size;
  }

  async put({ key }: ResultLocation, _body: string, options: PutOptions = {}): Promise<PutOutcome> {
    if (this.#putMs > 0) await delay(this.#putMs, undefined, { signal: options.signal });
    if (options.ifAbsent === true && this.#keys.has(key)) return { kind: 'exists' };
    this.#keys.add(key);
    return { kind: 'stored' };
  }

  /** Nothing reads results here. */
  get(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  exists({ key }: ResultLocation): Promise<boolean> {
    return Promise.resolve(this.#keys.has(key));
  }
}
