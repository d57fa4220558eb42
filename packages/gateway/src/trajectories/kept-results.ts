import type { FinishedTrajectory } from './finished-trajectory.ts';

interface Kept {
  result: FinishedTrajectory;
  tokens: number;
  untilMs: number;
}

export interface KeptResultsOptions {
  ttlMs: number;
  /** Most tokens in all results together; the oldest make room. */
  maxTokens: number;
  /** Monotonic. */
  now: () => number;
}

/** Keeps results for a while, for askers whose reply got lost. */
export class KeptResults {
  // In the order in which they came, which is that in which they expire.
  readonly #kept = new Map<string, Kept>();
  readonly #options: KeptResultsOptions;
  #tokens = 0;

  constructor(options: KeptResultsOptions) {
    this.#options = options;
  }

  get(sessionId: string): FinishedTrajectory | undefined {
    this.#sweep();
    return this.#kept.get(sessionId)?.result;
  }

  keep(result: FinishedTrajectory): void {
    this.forget(result.sessionId);
    const tokens = result.rows.reduce((sum, row) => sum + row.token_ids.length, 0);
    this.#kept.set(result.sessionId, { result, tokens, untilMs: this.#options.now() + this.#options.ttlMs });
    this.#tokens += tokens;
    this.#sweep();
  }

  forget(sessionId: string): void {
    this.#tokens -= this.#kept.get(sessionId)?.tokens ?? 0;
    this.#kept.delete(sessionId);
  }

  #sweep(): void {
    const now = this.#options.now();
    for (const [sessionId, { untilMs }] of this.#kept) {
      if (untilMs > now && this.#tokens <= this.#options.maxTokens) return;
      this.forget(sessionId);
    }
  }
}
