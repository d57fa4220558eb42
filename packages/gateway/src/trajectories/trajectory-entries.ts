import { ownMetadata, readStoredTrajectory } from './stored-trajectory.ts';
import type { TrajectoryInit } from './trajectory-init.ts';
import type { TraceStore } from '../store/trace-store.ts';
import type { TrajectoryState } from './trajectory-state.ts';

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
  readonly #store: TraceStore;
  readonly #maxSessions: number;

  constructor(store: TraceStore, maxSessions: number) {
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
      createdAtMs: stored.createdAtMs,
      state:
        finish === undefined
          ? { kind: 'open', turnsTaken: stored.traceCount }
          : { kind: 'finished', ...finish },
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
