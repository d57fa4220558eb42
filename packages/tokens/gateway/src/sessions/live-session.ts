import type { Worker } from '../routing/worker.ts';
import type { StoredSession } from '../store/capture-store.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import {
  nextState,
  refuseTurn,
  type CaptureSessionEvent,
  type CaptureSessionState,
  type StoredFinish,
  type TurnRefusal,
} from './session-state.ts';
import { ownMetadata, readStoredTrajectory, storedMetadata } from './stored-trajectory.ts';
import type { SessionSpending } from './session-spending.ts';
import type { TrajectoryInit } from './trajectory-init.ts';

/** Everything that the gateway knows of a session in use. What outlives the process is in the capture store. */
export class LiveSession {
  readonly sessionId: string;
  /** The calls under way. */
  readonly calls = new CallsInFlight();
  /** Sampling parameters that win over what the agent's calls say. */
  samplingParams: Readonly<Record<string, unknown>>;
  /** Its limits, and what its rows say. */
  init: TrajectoryInit;
  /** Counts its calls; undefined where it has no ceilings. */
  spending: SessionSpending | undefined;
  /** True if it was created as a trajectory. */
  isTrajectory: boolean;
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number;
  /** Calls whose prompt left no room for an answer. */
  contextFull = 0;
  /** Calls that got an answer that was kept. */
  keptAnswers = 0;
  /** Calls that brought an error instead of an answer; undefined where another process may have counted some of them. */
  failedCalls: number | undefined;
  /** Calls whose agent left before their answer ended; undefined as above. */
  abandonedCalls: number | undefined;
  /** Warnings that its operator has had; one of a kind is enough for a session. */
  readonly warned = new Set<string>();
  #state: CaptureSessionState;
  #worker: Worker | undefined;

  /** @param stored what the store has of it; the id alone for one that is not there yet */
  constructor(stored: Pick<StoredSession, 'sessionId'> & Partial<StoredSession>) {
    const { sessionId, samplingParams = {}, metadata = {}, createdAtMs = 0, captureCount = 0 } = stored;
    const { init, finish } = readStoredTrajectory(sessionId, metadata);
    this.sessionId = sessionId;
    this.samplingParams = samplingParams;
    this.init = init ?? { sessionId, metadata: ownMetadata(metadata) };
    this.isTrajectory = init !== undefined;
    this.createdAtMs = createdAtMs;
    this.failedCalls = finish === undefined ? 0 : finish.failedCalls;
    this.abandonedCalls = finish === undefined ? 0 : finish.abandonedCalls;
    this.#state =
      finish === undefined ? { kind: 'open', turnsTaken: captureCount } : { kind: 'finished', ...finish };
  }

  get state(): CaptureSessionState {
    return this.#state;
  }

  /** The worker of its last call, whose cache has the prefix of the next one. */
  get worker(): Worker | undefined {
    return this.#worker;
  }

  set worker(worker: Worker | undefined) {
    if (this.#worker === worker) return;
    if (this.#worker !== undefined) this.#worker.sessions -= 1;
    if (worker !== undefined) worker.sessions += 1;
    this.#worker = worker;
  }

  /** True if a call or a finish works on it, so that it must not be forgotten. */
  get isInUse(): boolean {
    return this.calls.total > 0 || this.#state.kind === 'finishing';
  }

  /** Counts a turn, or says why it may not be taken. */
  takeTurn(): TurnRefusal | undefined {
    const refusal = refuseTurn(this.sessionId, this.#state, this.init.maxTurns);
    if (refusal === undefined) this.move({ event: 'turn' });
    return refusal;
  }

  countFailedCall(): void {
    if (this.failedCalls !== undefined) this.failedCalls += 1;
  }

  countAbandonedCall(): void {
    if (this.abandonedCalls !== undefined) this.abandonedCalls += 1;
  }

  move(event: CaptureSessionEvent): void {
    this.#state = nextState(this.#state, event);
  }

  /**
   * Metadata of the session in the store.
   * @param metadata those of its trainer
   * @param finish how it was finished
   */
  storedMetadata(
    metadata = this.init.metadata ?? {},
    finish = finishOf(this.#state),
  ): Readonly<Record<string, unknown>> {
    if (!this.isTrajectory && finish === undefined) return metadata;
    return storedMetadata({ ...this.init, metadata }, this.isTrajectory, finish);
  }
}

function finishOf(state: CaptureSessionState): StoredFinish | undefined {
  if (state.kind !== 'finished') return undefined;
  const { request, captureCount, unfinishedCalls, contextFull, failedCalls, abandonedCalls } = state;
  return { request, captureCount, unfinishedCalls, contextFull, failedCalls, abandonedCalls };
}
