import { randomUUID } from 'node:crypto';
import { ArtError } from '@art/ground';
import { costOfTokens, priceOf, type Spent } from '@art/protocol';
import { resolveTrajectoryOptions } from '@art/trajectories';
import type { SessionInit, StoredSession, CaptureStore } from '../store/capture-store.ts';
import { LiveSession } from './live-session.ts';
import { SessionSpending } from './session-spending.ts';
import { storedMetadata } from './stored-trajectory.ts';
import { trajectoryOptions, type TrajectoryInit } from './trajectory-init.ts';

export interface LiveSessionsOptions {
  store: CaptureStore;
  /** Most sessions in memory; the others are read from the store when they are asked for. @default 100_000 */
  maxSessions?: number | undefined;
  /** Called with what the sessions of a run have spent, before each request and after each answer. @default nobody */
  onSpent?: ((runId: string, spent: Spent) => void) | undefined;
}

/**
 * The sessions in use: the one place that knows them besides the store. The one that was used least recently makes room,
 * unless a call of it is under way.
 */
export class LiveSessions {
  readonly #store: CaptureStore;
  readonly #maxSessions: number;
  readonly #onSpent: LiveSessionsOptions['onSpent'];
  /** Spending of runs, by their ids: as long as this process lives, for sessions of theirs may still come. */
  readonly #runs = new Map<string, Spent>();
  /** In the order of use. */
  readonly #known = new Map<string, LiveSession>();

  constructor({ store, maxSessions = 100_000, onSpent }: LiveSessionsOptions) {
    this.#store = store;
    this.#onSpent = onSpent;
    this.#maxSessions = maxSessions;
  }

  /** The session if it is in use. */
  known(sessionId: string): LiveSession | undefined {
    return this.#known.get(sessionId);
  }

  /** The session, read from the store where it is not in use; undefined where there is none. */
  async find(sessionId: string): Promise<LiveSession | undefined> {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return known;
    const stored = await this.#store.session(sessionId);
    // Another call may have been faster while the store was asked.
    const again = stored && reopened(stored);
    if (again?.init.ceilings !== undefined) await this.#restore(again);
    return this.#known.get(sessionId) ?? (again && this.#remember(again));
  }

  /** True if an id is that of a session that was not deleted. */
  async has(sessionId: string): Promise<boolean> {
    const session = await this.find(sessionId);
    return session !== undefined && session.state.kind !== 'dropped';
  }

  /**
   * The session of a call, created on the way if nobody knows it. Undefined for a deleted one, which only `create` brings
   * back: the call is served, and nothing is kept of it.
   */
  enter(sessionId: string): LiveSession | Promise<LiveSession | undefined> {
    const known = this.#known.get(sessionId);
    return known === undefined ? this.#open(sessionId) : this.#remember(known);
  }

  /** Creates a session, or creates it again: what is not given anew stays. */
  async create(init: { [Name in keyof SessionInit]: SessionInit[Name] | undefined }): Promise<LiveSession> {
    const { sessionId = randomUUID(), metadata, samplingParams } = init;
    const before = await this.#alive(sessionId);
    const isReplaced = metadata !== undefined && Object.keys(metadata).length > 0;
    const stored = await this.#store.createSession({
      sessionId,
      samplingParams,
      metadata: isReplaced && before !== undefined ? before.storedMetadata(metadata) : metadata,
    });
    const known = this.#known.get(sessionId);
    if (known === undefined || known.state.kind === 'dropped') {
      return this.#remember(new LiveSession(stored));
    }
    known.samplingParams = stored.samplingParams;
    known.createdAtMs = stored.createdAtMs;
    if (isReplaced) known.init = { ...known.init, metadata };
    return known;
  }

  /**
   * Creates a trajectory. A session that agents opened before becomes one, with the turns that it has.
   * @throws ArtError `ART_INVALID_OPTION`; `ART_GATEWAY_SESSION_EXISTS` it was created or finished already
   */
  async createTrajectory(init: TrajectoryInit): Promise<LiveSession> {
    resolveTrajectoryOptions(trajectoryOptions(init));
    const { sessionId } = init;
    const before = await this.#alive(sessionId);
    if (before !== undefined && (before.state.kind !== 'open' || before.isTrajectory)) {
      throw new ArtError({
        code: 'ART_GATEWAY_SESSION_EXISTS',
        message: `The session ${JSON.stringify(sessionId)} exists already and is ${before.state.kind}. Use another id, or drop it first.`,
      });
    }
    const session = before ?? this.#remember(new LiveSession({ sessionId }));
    const { init: initBefore } = session;
    // Set before the store answers, so that of two who create it at once one is refused.
    session.init = init;
    session.isTrajectory = true;
    try {
      const { samplingParams } = init;
      const metadata = storedMetadata(init, true);
      const stored = await this.#store.createSession({ sessionId, metadata, samplingParams });
      session.samplingParams = stored.samplingParams;
      session.createdAtMs = stored.createdAtMs;
      this.#limit(session);
    } catch (error) {
      session.init = initBefore;
      session.isTrajectory = false;
      if (before === undefined) this.forget(session);
      throw error;
    }
    return session;
  }

  /**
   * Deletes sessions and all that is known of them. Calls under way continue, and nothing is kept of them. An agent of a trajectory
   * that continues afterwards is refused, that of another session is served without a capture.
   * @returns how many captures there were
   */
  async delete(sessionIds: readonly string[]): Promise<number> {
    for (const sessionId of sessionIds) await this.find(sessionId);
    const deleted = await this.#store.deleteSessions(sessionIds);
    // Behind the store: a call that was just opening one has put it here by now.
    for (const sessionId of sessionIds) {
      const session = this.#known.get(sessionId);
      if (session === undefined) continue;
      const isRefused = session.isTrajectory || session.state.kind !== 'open';
      this.forget(session);
      session.move({ event: 'drop' });
      if (isRefused) this.#remember(session);
    }
    return deleted;
  }

  /** Forgets a session; what the store has of it stays. */
  forget(session: LiveSession): void {
    const { sessionId } = session;
    session.worker = undefined;
    if (this.#known.get(sessionId) === session) this.#known.delete(sessionId);
  }

  /** Opens the account of a session with ceilings. What its run spent elsewhere counts here. */
  #limit(session: LiveSession): void {
    const { init, createdAtMs } = session;
    if (init.ceilings === undefined) return;
    const { run } = init.ceilings;
    if (run === undefined) {
      session.spending = new SessionSpending(init.ceilings, run, createdAtMs, () => undefined);
      return;
    }
    const known = this.#runs.get(run.id) ?? { calls: 0, tokens: 0, usd: 0 };
    this.#runs.set(run.id, known);
    for (const unit of ['calls', 'tokens', 'usd'] as const)
      known[unit] = Math.max(known[unit], run.spent[unit]);
    const changed = (): void => this.#onSpent?.(run.id, known);
    const account = { ceiling: run.ceiling, spent: known };
    session.spending = new SessionSpending(init.ceilings, account, createdAtMs, changed);
  }

  /** Takes up a session of an earlier process with what it has spent, as far as its captures say. */
  async #restore(session: LiveSession): Promise<void> {
    this.#limit(session);
    const spent = { calls: 0, tokens: 0, usd: 0 };
    for (const {
      choiceIndex,
      model,
      usage,
      promptTokenIds,
      completionTokenIds,
    } of await this.#store.capturesOf(session.sessionId)) {
      const prompt = choiceIndex === 0 ? (usage.prompt ?? promptTokenIds.length) : 0;
      const completion = usage.completion ?? completionTokenIds.length;
      const price = priceOf(session.init.ceilings?.prices ?? {}, model);
      spent.calls += choiceIndex === 0 ? 1 : 0;
      spent.tokens += prompt + completion;
      spent.usd += price === undefined ? 0 : costOfTokens(price, prompt, completion);
    }
    session.spending?.restore(spent);
  }

  async #alive(sessionId: string): Promise<LiveSession | undefined> {
    await this.find(sessionId);
    const session = this.#known.get(sessionId);
    return session?.state.kind === 'dropped' ? undefined : session;
  }

  async #open(sessionId: string): Promise<LiveSession | undefined> {
    const found = await this.find(sessionId);
    if (found !== undefined) return found;
    if (await this.#store.isDeleted(sessionId)) return undefined;
    const stored = await this.#store.createSession({ sessionId });
    return this.#known.get(sessionId) ?? this.#remember(new LiveSession(stored));
  }

  #remember(session: LiveSession): LiveSession {
    this.#known.delete(session.sessionId);
    this.#known.set(session.sessionId, session);
    if (this.#known.size > this.#maxSessions) this.#makeRoom(session);
    return session;
  }

  #makeRoom(newest: LiveSession): void {
    for (const session of this.#known.values()) {
      if (this.#known.size <= this.#maxSessions) break;
      if (!session.isInUse && session !== newest) this.forget(session);
    }
  }
}

/** Reopens a stored session. Counts of an earlier process that were not stored are unknown. */
function reopened(stored: StoredSession): LiveSession {
  const session = new LiveSession(stored);
  if (session.state.kind === 'open') {
    session.failedCalls = undefined;
    session.abandonedCalls = undefined;
  }
  return session;
}
