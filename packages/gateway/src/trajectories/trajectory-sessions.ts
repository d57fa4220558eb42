import { refuseOption } from '@art/protocol';
import { buildTrajectory, resolveTrajectoryOptions, type TrajectoryOptions } from '@art/trajectories';
import {
  type FinishRequest,
  type FinishedTrajectory,
  nextState,
  type SettledState,
  type TrajectoryEvent,
  noLimits,
  refuseTurn,
  type TurnAdmission,
} from './trajectory-state.ts';
import { KeptResults, TrajectoryEntries, type TrajectoryEntry } from './trajectory-entries.ts';
import { sessionConflict, sessionGone, sessionNotFound } from './session-errors.ts';
import { storedMetadata } from './stored-trajectory.ts';
import type { TrajectoryInit } from './trajectory-init.ts';
import type { SessionCalls, TrajectoryStore } from './trajectory-ports.ts';
import { describeTrajectory, type TrajectoryStatus } from './trajectory-status.ts';

export interface TrajectorySessionsOptions {
  store: TrajectoryStore;
  calls: SessionCalls;
  /** How rows are made; `reward`, `rolloutId`, `groupId` and `metadata` come with each trajectory. @default {} */
  trajectory?: Omit<TrajectoryOptions, 'reward' | 'rolloutId' | 'groupId' | 'metadata'> | undefined;
  /** How long a result is kept for askers whose reply got lost. Later ones get it made anew, while the traces last. @default 3_600_000 */
  resultTtlMs?: number | undefined;
  /** Most tokens in kept results together, at about 24 bytes each. @default 4_000_000 */
  maxResultTokens?: number | undefined;
  /** Most sessions whose state is kept in memory; the rest is read from the store again. @default 100_000 */
  maxSessions?: number | undefined;
  /** Monotonic milliseconds. @default performance.now */
  now?: (() => number) | undefined;
}

/** How a session is to be finished, and how long its calls may go on. */
export interface FinishOptions extends FinishRequest {
  /** How long calls that are under way may go on. @default 5_000 */
  waitTimeoutMs?: number | undefined;
}

/**
 * Trajectories from their creation to their rows. A session that agents opened by themselves can be finished like one that
 * was created. What was created survives a restart as long as the store does.
 */
export class TrajectorySessions {
  readonly #store: TrajectoryStore;
  readonly #calls: SessionCalls;
  readonly #trajectory: TrajectoryOptions;
  readonly #results: KeptResults;
  readonly #entries: TrajectoryEntries;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: TrajectorySessionsOptions) {
    this.#store = options.store;
    this.#calls = options.calls;
    this.#trajectory = options.trajectory ?? {};
    resolveTrajectoryOptions(this.#trajectory);
    this.#entries = new TrajectoryEntries(this.#store, count('maxSessions', options.maxSessions, 100_000));
    this.#results = new KeptResults({
      ttlMs: count('resultTtlMs', options.resultTtlMs, 3_600_000),
      maxTokens: count('maxResultTokens', options.maxResultTokens, 4_000_000),
      now: options.now ?? (() => performance.now()),
    });
  }

  /**
   * Creates a trajectory. A session that agents opened before becomes one, with the turns that it has.
   * @throws ArtError `ART_INVALID_OPTION`; `ART_GATEWAY_SESSION_EXISTS` it was created or finished already
   */
  async create(init: TrajectoryInit): Promise<void> {
    resolveTrajectoryOptions(this.#optionsOf(init, {}));
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
      await this.#store.createSession({ sessionId, metadata: storedMetadata(init, true) });
    } catch (error) {
      this.#entries.delete(sessionId, entry);
      throw error;
    }
    entry.createdAtMs = (await this.#store.session(sessionId))?.createdAtMs ?? 0;
  }

  /** Asked before each call of a session: counts it, or says why it may not be made. Never refuses an unknown session. */
  async admit(sessionId: string): Promise<TurnAdmission> {
    const entry = this.#entries.known(sessionId) ?? (await this.#entries.find(sessionId));
    if (entry === undefined) return { kind: 'admitted', limits: noLimits };
    const refusal = refuseTurn(sessionId, entry.state, entry.init.maxTurns);
    if (refusal !== undefined) return refusal;
    this.#move(entry, { event: 'turn' });
    const { maxContextTokens, samplingDefaults = {} } = entry.init;
    return { kind: 'admitted', limits: { maxContextTokens, samplingDefaults } };
  }

  /** A call that was admitted has failed: it was no turn. */
  failed(sessionId: string): void {
    const entry = this.#entries.known(sessionId);
    if (entry !== undefined) this.#move(entry, { event: 'turn_failed' });
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
    return { sessionId, unfinishedCalls, ...buildTrajectory(traces, this.#optionsOf(entry.init, {})) };
  }

  /** @throws ArtError `ART_GATEWAY_SESSION_UNKNOWN` */
  async status(sessionId: string): Promise<TrajectoryStatus> {
    const entry = await this.#get(sessionId);
    if (entry.state.kind === 'dropped') throw sessionNotFound(sessionId);
    return describeTrajectory({
      entry,
      state: entry.state.kind,
      traces: await this.#store.tracesOf(sessionId),
      inFlight: this.#calls.countOf(sessionId),
      options: this.#optionsOf(entry.init, {}),
    });
  }

  /**
   * Closes a session to further turns, waits for those under way, and makes its rows. Finishing again, or at the same time,
   * gives the same rows, whatever is asked for then: a reply that got lost loses nothing.
   * @throws ArtError `ART_INVALID_OPTION`, before anything is closed; `ART_GATEWAY_SESSION_UNKNOWN`; what the store throws, after
   * which the session is open again; `ART_GATEWAY_SESSION_GONE` finished so long ago that nothing is left of it
   */
  async finish(sessionId: string, options: FinishOptions = {}): Promise<FinishedTrajectory> {
    const { waitTimeoutMs = 5_000 } = options;
    const entry = await this.#get(sessionId);
    const request: FinishRequest = {
      reward: options.reward,
      rolloutId: options.rolloutId,
      groupId: options.groupId,
      metadata: options.metadata,
    };
    resolveTrajectoryOptions(this.#optionsOf(entry.init, request));
    if (entry.state.kind === 'dropped') throw sessionNotFound(sessionId);
    const kept = this.#results.get(sessionId);
    if (entry.state.kind === 'finished' && kept !== undefined) return kept;
    const { state } = entry;
    return await (state.kind === 'finishing'
      ? state.result
      : this.#begin(entry, state, request, waitTimeoutMs));
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
    this.#move(entry, { event: 'drop' });
    this.#entries.set(sessionId, entry);
    this.#results.forget(sessionId);
    return await this.#store.deleteSession(sessionId);
  }

  /** Lets go of what is known of sessions that somebody else deleted. */
  forget(sessionIds: readonly string[]): void {
    for (const sessionId of sessionIds) {
      this.#entries.delete(sessionId);
      this.#results.forget(sessionId);
    }
  }

  #begin(
    entry: TrajectoryEntry,
    before: SettledState,
    request: FinishRequest,
    waitTimeoutMs: number,
  ): Promise<FinishedTrajectory> {
    // What was finished before is made anew of the same traces, with what it was finished with.
    const again = before.kind === 'finished' ? before : undefined;
    const asked = again?.request ?? request;
    const result = this.#build(entry, asked, again, waitTimeoutMs);
    this.#move(entry, { event: 'finish', result });
    result.then(
      (finished) => {
        this.#move(entry, { event: 'built', request: asked, traceCount: finished.summary.turns });
        if (entry.state.kind === 'finished') this.#results.keep(finished);
      },
      () => this.#move(entry, { event: 'failed' }),
    );
    return result;
  }

  async #build(
    entry: TrajectoryEntry,
    request: FinishRequest,
    again: Extract<SettledState, { kind: 'finished' }> | undefined,
    waitTimeoutMs: number,
  ): Promise<FinishedTrajectory> {
    const { init, isCreated, createdAtMs } = entry;
    const { sessionId } = init;
    let unfinishedCalls = 0;
    if (again === undefined && !(await this.#calls.sessionIdle(sessionId, waitTimeoutMs))) {
      unfinishedCalls = this.#calls.countOf(sessionId);
      this.#calls.cancelSession(sessionId);
    }
    const traces = await this.#store.tracesOf(sessionId);
    if (traces.length < (again?.traceCount ?? 0)) throw sessionGone(sessionId);
    const trajectory = buildTrajectory(traces.slice(0, again?.traceCount), this.#optionsOf(init, request));
    if (again?.request === undefined && this.#entries.known(sessionId) === entry) {
      const finish = { request, traceCount: traces.length, createdAtMs };
      await this.#store.noteFinish(sessionId, storedMetadata(init, isCreated, finish));
    }
    await this.#store.finishSession(sessionId);
    return { sessionId, unfinishedCalls, ...trajectory };
  }

  #optionsOf(init: TrajectoryInit, request: FinishRequest): TrajectoryOptions {
    return {
      ...this.#trajectory,
      mode: init.mode ?? (init.forkThresholdTokens === undefined ? this.#trajectory.mode : undefined),
      forkThresholdTokens: init.forkThresholdTokens ?? this.#trajectory.forkThresholdTokens,
      reward: request.reward,
      rolloutId: request.rolloutId ?? init.rolloutId,
      groupId: request.groupId === undefined ? init.groupId : request.groupId,
      metadata: { ...init.metadata, ...request.metadata },
      // Whoever bounds the context trains no longer rows, also where nobody could count before the engine had answered.
      maxSampleTokens: Math.min(
        init.maxContextTokens ?? Number.POSITIVE_INFINITY,
        this.#trajectory.maxSampleTokens ?? Number.POSITIVE_INFINITY,
      ),
    };
  }

  async #get(sessionId: string): Promise<TrajectoryEntry> {
    const entry = await this.#entries.find(sessionId);
    if (entry === undefined) throw sessionNotFound(sessionId);
    return entry;
  }

  #move(entry: TrajectoryEntry, event: TrajectoryEvent): void {
    entry.state = nextState(entry.state, event);
  }
}

function count(option: string, value: number | undefined, standard: number): number {
  if (value === undefined) return standard;
  if (Number.isFinite(value) && value >= 0) return value;
  refuseOption(option, 'a number >= 0', value);
}
