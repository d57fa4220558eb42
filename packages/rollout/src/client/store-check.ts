import { callWithin, type Clock } from '@art/async';
import { StoreError, type ResultStore } from '@art/store';

export interface StoreCheckParts {
  store: ResultStore;
  bucket: string;
  expId: string;
  clock: Clock;
}

const patienceMs = 10_000;

/** Asks a client's store whether results can be read from it at all. */
export class StoreCheck {
  readonly #parts: StoreCheckParts;
  #isReadable = false;
  #asking: Promise<unknown> | undefined;

  constructor(parts: StoreCheckParts) {
    this.#parts = parts;
  }

  /**
   * Resolves once the store has answered, and is not asked again then. A store with a bad moment stands in nobody's way: the
   * rollouts take longer than that.
   * @throws StoreError where somebody has to change something first; the signal's reason when aborted
   */
  async readable(signal?: AbortSignal): Promise<void> {
    if (this.#isReadable) return;
    const trouble = await callWithin(() => this.trouble(), { signal });
    if (StoreError.isInstance(trouble) && !trouble.retryable) throw trouble;
    this.#isReadable = true;
  }

  /** What the store fails with at this moment; undefined where it answers. Any number of askers share one question. */
  trouble(): Promise<unknown> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  #ask(): Promise<unknown> {
    const timeoutError = (): Error => new Error(`it did not answer within ${patienceMs} ms`);
    const bounds = { clock: this.#parts.clock, timeoutMs: patienceMs, timeoutError };
    return callWithin((signal) => this.#question(signal), bounds).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  async #question(signal: AbortSignal): Promise<void> {
    const { store, bucket, expId } = this.#parts;
    const range = { bucket, prefix: `${expId}/` };
    if (store.check !== undefined) await store.check(range, { signal });
    else if (store.list !== undefined) await store.list({ ...range, limit: 1 }, { signal });
    else await store.exists({ bucket, key: `${expId}/.art-check` }, { signal });
  }
}
