import { randomUUID } from 'node:crypto';
import type { SessionInit, StoredSession, TraceStore } from '../store/trace-store.ts';

/** What a call needs to know of its session. */
export interface KnownSession {
  readonly sessionId: string;
  /** Win over what the agent's calls say. */
  readonly samplingParams: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** How a session stands to a call. A deleted one is served, and nothing is kept of it. */
export type SessionStanding = { kind: 'open'; session: KnownSession } | { kind: 'deleted' };

const limits = { remembered: 100_000, deleted: 100_000 };

/**
 * Which sessions there are. Knows those in use by heart, so that a call does not wait for the store, and those that were
 * deleted, so that an agent that goes on does not bring its session back; only `create` does.
 */
export class SessionDirectory {
  readonly #store: TraceStore;
  readonly #known = new Map<string, KnownSession>();
  readonly #deleted = new Set<string>();
  /** Those that calls under way have the store asked for: they count as existing. */
  readonly #opening = new Map<string, number>();

  constructor(store: TraceStore) {
    this.#store = store;
  }

  /** Creates a session, or creates it again. */
  async create(init: Partial<SessionInit>): Promise<StoredSession> {
    const sessionId = init.sessionId ?? randomUUID();
    const stored = await this.#store.createSession({ ...init, sessionId });
    this.#deleted.delete(sessionId);
    this.#remember(stored);
    return stored;
  }

  /** The session of a call, made on the way if nobody knows it. */
  enter(sessionId: string): SessionStanding | Promise<SessionStanding> {
    const session = this.#known.get(sessionId);
    if (session !== undefined) return { kind: 'open', session };
    if (this.#deleted.has(sessionId)) return { kind: 'deleted' };
    return this.#open(sessionId);
  }

  /** Whether an id is that of a session; looks into the store where it has to. */
  has(sessionId: string): boolean | Promise<boolean> {
    if (this.#known.has(sessionId)) return true;
    if (this.#deleted.has(sessionId)) return false;
    return this.#store.session(sessionId).then((stored) => stored !== undefined);
  }

  /** Whether it was deleted, and not created again since. */
  isDeleted(sessionId: string): boolean {
    return this.#deleted.has(sessionId);
  }

  /** @returns how many traces there were */
  async delete(sessionIds: readonly string[]): Promise<number> {
    for (const sessionId of sessionIds) {
      // Trainers clear ids before they use them for the first time: that must not close them.
      const existed = this.#opening.has(sessionId) || (await this.has(sessionId));
      this.#known.delete(sessionId);
      if (existed) this.#deleted.add(sessionId);
    }
    for (const oldest of this.#deleted) {
      if (this.#deleted.size <= limits.deleted) break;
      this.#deleted.delete(oldest);
    }
    return await this.#store.deleteSessions(sessionIds);
  }

  /** What the store has forgotten must not be known here. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId);
  }

  async #open(sessionId: string): Promise<SessionStanding> {
    this.#opening.set(sessionId, (this.#opening.get(sessionId) ?? 0) + 1);
    try {
      const stored = (await this.#store.session(sessionId)) ?? (await this.#make(sessionId));
      if (stored === undefined) return { kind: 'deleted' };
      if (this.#deleted.has(sessionId)) {
        // It was deleted in the meantime, and the creation here may have come after that.
        await this.#store.deleteSession(sessionId);
        return { kind: 'deleted' };
      }
      return { kind: 'open', session: this.#remember(stored) };
    } finally {
      const left = this.#opening.get(sessionId)! - 1;
      if (left === 0) this.#opening.delete(sessionId);
      else this.#opening.set(sessionId, left);
    }
  }

  /** Undefined for one that was deleted before this process began. */
  async #make(sessionId: string): Promise<StoredSession | undefined> {
    if (!(await this.#store.isDeleted(sessionId))) return await this.#store.createSession({ sessionId });
    this.#deleted.add(sessionId);
    return undefined;
  }

  #remember({ sessionId, samplingParams, metadata }: StoredSession): KnownSession {
    const session: KnownSession = { sessionId, samplingParams, metadata };
    this.#known.delete(sessionId);
    this.#known.set(sessionId, session);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= limits.remembered) break;
      this.#known.delete(oldest);
    }
    return session;
  }
}
