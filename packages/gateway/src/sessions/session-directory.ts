import { randomUUID } from 'node:crypto';
import type { SessionInit, StoredSession, TraceStore } from '../store/trace-store.ts';

/** What a call needs to know of its session; the sampling parameters win over what the agent's calls say. */
export type KnownSession = Pick<StoredSession, 'sessionId' | 'samplingParams'>;

const mostRemembered = 100_000;

/** Which sessions there are. Knows those in use by heart, so that a call does not wait for the store. */
export class SessionDirectory {
  readonly #store: TraceStore;
  readonly #known = new Map<string, KnownSession>();

  constructor(store: TraceStore) {
    this.#store = store;
  }

  /** Creates a session, or creates it again. */
  async create(init: Partial<SessionInit>): Promise<StoredSession> {
    const stored = await this.#store.createSession({ ...init, sessionId: init.sessionId ?? randomUUID() });
    this.#remember(stored);
    return stored;
  }

  /**
   * The session of a call, made on the way if nobody knows it. Undefined for a deleted one, which only `create` brings back:
   * the call is served, and nothing is kept of it.
   */
  enter(sessionId: string): KnownSession | Promise<KnownSession | undefined> {
    return this.#known.get(sessionId) ?? this.#open(sessionId);
  }

  /** Whether an id is that of a session; looks into the store where it has to. */
  async has(sessionId: string): Promise<boolean> {
    return this.#known.has(sessionId) || (await this.#store.session(sessionId)) !== undefined;
  }

  /** @returns how many traces there were */
  async delete(sessionIds: readonly string[]): Promise<number> {
    const deleted = await this.#store.deleteSessions(sessionIds);
    // Behind the store: a call that was just opening one has put it here by now.
    for (const sessionId of sessionIds) this.forget(sessionId);
    return deleted;
  }

  /** What the store has forgotten must not be known here. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId);
  }

  async #open(sessionId: string): Promise<KnownSession | undefined> {
    const stored = await this.#store.session(sessionId);
    if (stored === undefined && (await this.#store.isDeleted(sessionId))) return undefined;
    return this.#remember(stored ?? (await this.#store.createSession({ sessionId })));
  }

  #remember({ sessionId, samplingParams }: StoredSession): KnownSession {
    const session: KnownSession = { sessionId, samplingParams };
    this.#known.delete(sessionId);
    this.#known.set(sessionId, session);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostRemembered) break;
      this.#known.delete(oldest);
    }
    return session;
  }
}
