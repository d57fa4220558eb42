import { callWithin, type Clock } from '@art/ground';
import type { AgentRuntime } from '@art/protocol';
import { StoreError, type ResultStore } from '@art/store';
import { telemetryReady } from '@art/ground/telemetry';

export interface PreflightDeps {
  runtime: AgentRuntime;
  /** The store that is asked, and what for; undefined where none is to be asked. */
  stored: { store: ResultStore; bucket: string; expId: string } | undefined;
  clock: Clock;
  /** Throws once nothing new is to be begun. */
  assertReady: () => void;
}

const storePatienceMs = 10_000;

/** Finds what would fail for every rollout, once, before anything is sent or written down. */
export class Preflight {
  readonly #deps: PreflightDeps;
  #isDone = false;
  #asking: Promise<unknown> | undefined;

  constructor(deps: PreflightDeps) {
    this.#deps = deps;
  }

  /**
   * A transient error of the store does not block the run.
   * @throws what the runtime refuses; StoreError where somebody has to change something first; ArtError `ART_CLIENT_CLOSED`; the
   *   signal's reason
   */
  async pass(signal: AbortSignal | undefined): Promise<void> {
    const { runtime } = this.#deps;
    this.assertReady();
    const telemetry = telemetryReady();
    if (telemetry !== undefined) await telemetry;
    if (this.#isDone) return;
    await runtime.check?.({ signal });
    const trouble = await callWithin(() => this.storeTrouble(), { signal });
    if (StoreError.isInstance(trouble) && !trouble.retryable) throw trouble;
    this.assertReady();
    this.#isDone = true;
  }

  /** @throws ArtError once nothing new is to be begun */
  assertReady(): void {
    this.#deps.assertReady();
  }

  /** The error that the store fails with now; undefined if it answers. Concurrent callers share one request. */
  storeTrouble(): Promise<unknown> {
    if (this.#asking !== undefined) return this.#asking;
    const timeoutError = (): Error => new Error(`it did not answer within ${storePatienceMs} ms`);
    const bounds = { clock: this.#deps.clock, timeoutMs: storePatienceMs, timeoutError };
    this.#asking = callWithin((signal) => this.#question(signal), bounds)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #question(signal: AbortSignal): Promise<void> {
    if (this.#deps.stored === undefined) return;
    const { store, bucket, expId } = this.#deps.stored;
    const range = { bucket, prefix: `${expId}/` };
    if (store.check !== undefined) await store.check(range, { signal });
    else if (store.list !== undefined) await store.list({ ...range, limit: 1 }, { signal });
    else await store.exists({ bucket, key: `${expId}/.art-check` }, { signal });
  }
}
