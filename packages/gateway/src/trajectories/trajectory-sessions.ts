import {
  buildTrajectory,
  resolveTrajectoryOptions,
  type Trace,
  type TrajectoryOptions,
  type TrajectorySummary,
} from '@art/trajectories';
import type { CallsInFlight } from '../sessions/calls-in-flight.ts';
import type { SessionDirectory } from '../sessions/session-directory.ts';
import type { TraceStore } from '../store/trace-store.ts';
import {
  type FinishRequest,
  type FinishedState,
  type FinishedTrajectory,
  nextState,
  type TrajectoryEvent,
  noLimits,
  refuseTurn,
  type TurnAdmission,
} from './trajectory-state.ts';
import { TrajectoryEntries, type TrajectoryEntry } from './trajectory-entries.ts';
import { sessionConflict, sessionGone, sessionNotFound } from './session-errors.ts';
import { storedMetadata } from './stored-trajectory.ts';
import type { TrajectoryInit } from './trajectory-init.ts';

export interface TrajectorySessionsOptions {
  store: TraceStore;
  directory: SessionDirectory;
  calls: CallsInFlight;
  /** Most sessions whose state is kept in memory; the rest is read from the store again. @default 100_000 */
  maxSessions?: number | undefined;
}

/** How a session is to be finished, and how long its calls may go on. */
export interface FinishOptions extends FinishRequest {
  /** How long calls that are under way may go on. @default 5_000 */
  waitTimeoutMs?: number | undefined;
}

/** What can be said of a trajectory at any time. */
export interface TrajectoryStatus {
  init: TrajectoryInit;
  state: 'open' | 'finishing' | 'finished';
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number;
  /** Calls under way. */
  inFlight: number;
  traces: readonly Trace[];
  /** Of the rows that it has, or would have now. */
  summary: TrajectorySummary;
}

/**
 * Trajectories from their creation to their rows. A session that agents opened by themselves can be finished like one that
 * was created. What was created survives a restart as long as the store does.
 */
export class TrajectorySessions {
  readonly #store: TraceStore;
  readonly #directory: SessionDirectory;
  readonly #calls: CallsInFlight;
  readonly #entries: TrajectoryEntries;

  constructor({ store, directory, calls, maxSessions = 100_000 }: TrajectorySessionsOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#calls = calls;
    this.#entries = new TrajectoryEntries(store, maxSessions);
  }

  /**
   * Creates a trajectory. A session that agents opened before becomes one, with the turns that it has.
   * @throws ArtError `ART_INVALID_OPTION`; `ART_GATEWAY_SESSION_EXISTS` it was created or finished already
   */
  async create(init: TrajectoryInit): Promise<void> {
    resolveTrajectoryOptions(optionsOf(init));
    const { sessionId } = init;
    const found = await this.#entries.find(sessionId);
    // Somebody else may have created it while the store was asked.
    const known = this.#entries.known(sessionId) ?? found;
    if (known !== undefined && known.state.kind !== 'dropped') {
      if (known.state.kind !== 'open' || known.isCreated) throw sessionConflict(sessionId, known.state.kind);
    }
    const turnsTaken = known?.state.kind === 'open' ? known.state.turnsTaken : 0;
    const entry: TrajectoryEntry = {
      init,
      isCreated: true,
      createdAtMs: 0,
      state: { kind: 'open', turnsTaken },
    };
    // Taken before the store answers, so that of two who create it at once one is refused.
    this.#entries.set(sessionId, entry);
    try {
      const stored = await this.#directory.create({ sessionId, metadata: storedMetadata(init, true) });
      entry.createdAtMs = stored.createdAtMs;
    } catch (error) {
      this.#entries.delete(sessionId, entry);
      throw error;
    }
  }

  /** Asked before each call of a session: counts it, or says why it may not be made. Never refuses an unknown session. */
  async admit(sessionId: string): Promise<TurnAdmission> {
    const entry = this.#entries.known(sessionId) ?? (await this.#entries.find(sessionId));
    if (entry === undefined) return { kind: 'admitted', limits: noLimits };
    const refusal = refuseTurn(sessionId, entry.state, entry.init.maxTurns);
    if (refusal !== undefined) return refusal;
    move(entry, { event: 'turn' });
    const { maxContextTokens, samplingDefaults = {} } = entry.init;
    return { kind: 'admitted', limits: { maxContextTokens, samplingDefaults } };
  }

  /** A call that was admitted has failed: it was no turn. */
  failed(sessionId: string): void {
    const entry = this.#entries.known(sessionId);
    if (entry !== undefined) move(entry, { event: 'turn_failed' });
  }

  /**
   * The rows of a finished trajectory, or what they would be now, without a reward, where it is still open.
   * @throws ArtError `ART_GATEWAY_SESSION_UNKNOWN`, `ART_GATEWAY_SESSION_GONE`
   */
  async rows(sessionId: string): Promise<FinishedTrajectory> {
    const entry = await this.#get(sessionId);
    if (entry.state.kind !== 'open') return await this.finish(sessionId);
    const traces = await this.#store.tracesOf(sessionId);
    const unfinishedCalls = this.#calls.countOf(sessionId);
    return { sessionId, unfinishedCalls, ...buildTrajectory(traces, optionsOf(entry.init)) };
  }

  /** @throws ArtError `ART_GATEWAY_SESSION_UNKNOWN` */
  async status(sessionId: string): Promise<TrajectoryStatus> {
    const { init, createdAtMs, state } = await this.#get(sessionId);
    if (state.kind === 'dropped') throw sessionNotFound(sessionId);
    const traces = await this.#store.tracesOf(sessionId);
    const { summary } = buildTrajectory(traces, optionsOf(init));
    const inFlight = this.#calls.countOf(sessionId);
    return { init, state: state.kind, createdAtMs, inFlight, traces, summary };
  }

  /**
   * Closes a session to further turns, waits for those under way, and makes its rows. Finishing again, or at the same time,
   * gives the same rows, whatever is asked for then: a reply that got lost loses nothing, as long as the traces are there.
   * @throws ArtError `ART_INVALID_OPTION`, before anything is closed; `ART_GATEWAY_SESSION_UNKNOWN`; what the store throws, after
   * which the session is open again; `ART_GATEWAY_SESSION_GONE` finished so long ago that nothing is left of it
   */
  async finish(sessionId: string, options: FinishOptions = {}): Promise<FinishedTrajectory> {
    const { waitTimeoutMs = 5_000, ...request } = options;
    const entry = await this.#get(sessionId);
    resolveTrajectoryOptions(optionsOf(entry.init, request));
    const { state } = entry;
    switch (state.kind) {
      case 'dropped':
        throw sessionNotFound(sessionId);
      case 'finishing':
        return await state.result;
      case 'finished':
        return await this.#makeAgain(entry, state);
      case 'open': {
        const result = this.#close(entry, request, waitTimeoutMs);
        move(entry, { event: 'finish', result });
        return await result;
      }
    }
  }

  /** Whether a session is known, and was not dropped. */
  async has(sessionId: string): Promise<boolean> {
    const entry = await this.#entries.find(sessionId);
    return entry !== undefined && entry.state.kind !== 'dropped';
  }

  /** Deletes a session and its traces; how many there were. Closed for good, unless it is created again. Idempotent. */
  async drop(sessionId: string): Promise<number> {
    const entry = (await this.#entries.find(sessionId)) ?? {
      init: { sessionId },
      isCreated: false,
      createdAtMs: 0,
      state: { kind: 'dropped' },
    };
    move(entry, { event: 'drop' });
    this.#entries.set(sessionId, entry);
    return await this.#directory.delete([sessionId]);
  }

  /** Lets go of what is known of a session that somebody else deleted. */
  forget(sessionId: string): void {
    this.#entries.delete(sessionId);
  }

  async #close(
    entry: TrajectoryEntry,
    request: FinishRequest,
    waitTimeoutMs: number,
  ): Promise<FinishedTrajectory> {
    const { init, isCreated } = entry;
    const { sessionId } = init;
    try {
      let unfinishedCalls = 0;
      if (!(await this.#calls.sessionIdle(sessionId, waitTimeoutMs))) {
        unfinishedCalls = this.#calls.countOf(sessionId);
        this.#calls.cancelSession(sessionId);
      }
      const traces = await this.#store.tracesOf(sessionId);
      const trajectory = buildTrajectory(traces, optionsOf(init, request));
      const traceCount = traces.length;
      // One that was deleted meanwhile may have been created again, under the same name.
      if (this.#entries.known(sessionId) === entry)
        await this.#store.finishSession(
          sessionId,
          storedMetadata(init, isCreated, { request, traceCount, unfinishedCalls }),
        );
      move(entry, { event: 'built', request, traceCount, unfinishedCalls });
      return { sessionId, unfinishedCalls, ...trajectory };
    } catch (error) {
      move(entry, { event: 'failed' });
      throw error;
    }
  }

  /** What was finished is made anew of the same traces, with what it was finished with. */
  async #makeAgain(
    { init }: TrajectoryEntry,
    { request, traceCount, unfinishedCalls }: FinishedState,
  ): Promise<FinishedTrajectory> {
    const { sessionId } = init;
    const traces = await this.#store.tracesOf(sessionId);
    if (traces.length < traceCount) throw sessionGone(sessionId);
    const trajectory = buildTrajectory(traces.slice(0, traceCount), optionsOf(init, request));
    return { sessionId, unfinishedCalls, ...trajectory };
  }

  async #get(sessionId: string): Promise<TrajectoryEntry> {
    const entry = await this.#entries.find(sessionId);
    if (entry === undefined) throw sessionNotFound(sessionId);
    return entry;
  }
}

function optionsOf(init: TrajectoryInit, request: FinishRequest = {}): TrajectoryOptions {
  const { mode, forkThresholdTokens, maxContextTokens } = init;
  return {
    mode,
    forkThresholdTokens,
    reward: request.reward,
    rolloutId: request.rolloutId ?? init.rolloutId,
    groupId: request.groupId === undefined ? init.groupId : request.groupId,
    metadata: { ...init.metadata, ...request.metadata },
    // Whoever bounds the context trains no longer rows, also where nobody could count before the engine had answered.
    maxSampleTokens: maxContextTokens,
  };
}

function move(entry: TrajectoryEntry, event: TrajectoryEvent): void {
  entry.state = nextState(entry.state, event);
}
