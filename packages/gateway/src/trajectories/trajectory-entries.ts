import { ownMetadata, readStoredTrajectory } from './stored-trajectory.ts';
import type { TrajectoryInit } from './trajectory-init.ts';
import type { TrajectoryStore } from './trajectory-ports.ts';
import type { TrajectoryState, FinishedTrajectory } from './trajectory-state.ts';

/** What is known of one session. */
export interface TrajectoryEntry {
  init: TrajectoryInit;
  /** False for a session that agents opened by themselves. */
  isCreated: boolean;
  createdAtMs: number;
  state: TrajectoryState;
}

/** The sessions in use, by heart; the others are read from the store when they are asked for. */
export class TrajectoryEntries {
  // In the order in which they were first used, so that the oldest makes room.
  readonly #known = new Map<string, TrajectoryEntry>();
  readonly #store: Pick<TrajectoryStore, 'session'>;
  readonly #maxSessions: number;

  constructor(store: Pick<TrajectoryStore, 'session'>, maxSessions: number) {
    this.#store = store;
    this.#maxSessions = maxSessions;
  }

  known(sessionId: string): TrajectoryEntry | undefined {
    return this.#known.get(sessionId);
  }

  async find(sessionId: string): Promise<TrajectoryEntry | undefined> {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return known;
    const stored = await this.#store.session(sessionId);
    // Somebody else may have been faster while the store was asked.
    const faster = this.#known.get(sessionId);
    if (faster !== undefined || stored === undefined) return faster;
    const { init, finish } = readStoredTrajectory(sessionId, stored.metadata);
    return this.set(sessionId, {
      init: init ?? { sessionId, metadata: ownMetadata(stored.metadata) },
      isCreated: init !== undefined,
      createdAtMs: finish?.createdAtMs ?? stored.createdAtMs,
      // How it was finished is stored before that it was: a process that ends in between has finished it.
      state:
        stored.finished || finish !== undefined
          ? { kind: 'finished', request: finish?.request, traceCount: finish?.traceCount }
          : { kind: 'open', turnsTaken: stored.traceCount },
    });
  }

  set(sessionId: string, entry: TrajectoryEntry): TrajectoryEntry {
    this.#known.delete(sessionId);
    this.#known.set(sessionId, entry);
    for (const [oldest, { state }] of this.#known) {
      if (this.#known.size <= this.#maxSessions) break;
      if (state.kind !== 'finishing') this.#known.delete(oldest);
    }
    return entry;
  }

  /** @param entry lets go only if it still is this one */
  delete(sessionId: string, entry?: TrajectoryEntry): void {
    if (entry === undefined || this.#known.get(sessionId) === entry) this.#known.delete(sessionId);
  }
}

interface Kept {
  result: FinishedTrajectory;
  tokens: number;
  untilMs: number;
}

interface KeptResultsOptions {
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
