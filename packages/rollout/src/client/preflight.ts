import type { AgentRuntime } from '@art/protocol';
import type { StoreCheck } from './store-check.ts';

export interface PreflightParts {
  runtime: AgentRuntime;
  /** Undefined where no store is to be asked. */
  storeCheck: StoreCheck | undefined;
  /** Throws once nothing new is to be begun. */
  assertReady: () => void;
}

/** Finds what would fail for every rollout, once, before anything is sent or written down. */
export class Preflight {
  readonly #parts: PreflightParts;
  #isDone = false;

  constructor(parts: PreflightParts) {
    this.#parts = parts;
  }

  /** @throws what runtime or store refuse; ArtError `ART_CLIENT_CLOSED`; the signal's reason */
  async pass(signal: AbortSignal | undefined): Promise<void> {
    const { runtime, storeCheck, assertReady } = this.#parts;
    assertReady();
    if (this.#isDone) return;
    await runtime.check?.({ signal });
    await storeCheck?.readable(signal);
    assertReady();
    this.#isDone = true;
  }
}
