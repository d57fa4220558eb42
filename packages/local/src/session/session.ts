import { type Clock, pause } from '@art/async';
import type { LocalAgent } from '../process/local-agent.ts';
import { AgentStartError } from '../process/agent-start-error.ts';
import { describeExit, type ProcessExit } from '../process/guarded-process.ts';
import type { AgentProcess } from '../process/start-agent-process.ts';
import type { WarmPool } from '../process/warm-pool.ts';
import type { SessionEndReason } from '../service/endpoint-log.ts';
import { describeOutput } from '../process/session-log.ts';
import { IdleTracker } from './idle-tracker.ts';
import { runPingLoop } from './ping-loop.ts';
import { PingWaits } from './ping-waits.ts';
import { reapDecision } from './reap-decision.ts';
import type { RuntimeFaultHooks } from './runtime-faults.ts';
import type { ContainerError, LocalSessionInfo } from './session-info.ts';
import {
  nextSessionState,
  SessionEndedError,
  type SessionEvent,
  type SessionState,
} from './session-state.ts';

/** The durations that rule a session's life. */
export interface SessionTiming {
  pingIntervalMs: number;
  idleTimeoutMs: number;
  maxLifetimeMs: number;
  stopGraceMs: number;
  coldStartDelayMs: number;
  strictPing: boolean;
  maxFailedPings: number;
}

export interface SessionInit {
  id: string;
  agent: LocalAgent;
  pool: WarmPool;
  timing: SessionTiming;
  clock: Clock;
  faults: RuntimeFaultHooks | undefined;
  /** Called once, when nothing of the session is left. */
  onEnded(session: Session): void;
}

/** One session: a process of its own from the first request until a stop, a reaper or its own end. */
export class Session {
  readonly id: string;
  readonly agent: LocalAgent;
  /** Resolves when nothing of the session is left; never rejects. */
  readonly gone: Promise<void>;
  readonly #init: SessionInit;
  readonly #createdAt = new Date();
  readonly #createdAtMs: number;
  readonly #ready: Promise<AgentProcess>;
  readonly #ending = new AbortController();
  readonly #idle: IdleTracker;
  readonly #pingWaits = new PingWaits();
  #state: SessionState = { kind: 'starting' };
  #process: AgentProcess | undefined;
  #startError: AgentStartError | undefined;
  #start: { startMs: number; warm: boolean } | undefined;
  #requests = 0;
  #pings = 0;
  #failedPings = 0;
  #lastContainerError: ContainerError | undefined;

  constructor(init: SessionInit) {
    this.#init = init;
    this.id = init.id;
    this.agent = init.agent;
    this.#createdAtMs = init.clock.nowMs();
    this.#idle = new IdleTracker(this.#createdAtMs, init.timing.strictPing);
    this.#ready = this.#begin();
    this.gone = this.#live();
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Aborts when the session begins to end; its reason is a {@link SessionEndedError}. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * The healthy process.
   * @throws AgentStartError when it never became healthy, SessionEndedError when the session was ended first.
   */
  whenReady(): Promise<AgentProcess> {
    return this.#ready;
  }

  /** How it ended, with the last lines of its output, where nobody had told it to; undefined otherwise. */
  get ownEnd(): string | undefined {
    const state = this.#state;
    if (state.kind !== 'ended' || (state.reason !== 'exited' && state.reason !== 'unhealthy'))
      return undefined;
    const how =
      state.reason === 'unhealthy'
        ? 'The agent did not answer its health checks, and its process was ended.'
        : `The agent's process ${state.exit === undefined ? 'ended' : describeExit(state.exit)}.`;
    return this.#process === undefined ? how : `${how} ${describeOutput(this.#process.log)}`;
  }

  /** Counts a request until that is disposed of; the session is not idle in between. */
  beginRequest(): Disposable {
    this.#requests += 1;
    this.#idle.requestBegan();
    return { [Symbol.dispose]: () => this.#idle.requestEnded(this.#init.clock.nowMs()) };
  }

  /** Begins to end the session and returns at once; a session that is ending already is left alone. */
  end(reason: SessionEndReason): void {
    this.#dispatch({ kind: 'end', reason });
    if (this.#state.kind !== 'stopping' || this.#ending.signal.aborted) return;
    this.#ending.abort(new SessionEndedError(this.id, reason));
    void this.#process?.process.stop(this.#init.timing.stopGraceMs);
  }

  /** SIGKILL without a warning, as when its machine dies. `false` where there is no process. */
  kill(): boolean {
    return this.#process?.process.kill() ?? false;
  }

  /** Keeps for people what the service would discard. */
  async recordContainerError(error: ContainerError): Promise<void> {
    this.#lastContainerError = error;
    await this.#process?.log.note(
      `The agent answered HTTP ${error.httpStatus}; its caller gets 424 without this body: ${error.body}`,
    );
  }

  info(): LocalSessionInfo {
    const state = this.#state;
    return {
      agent: this.agent.name,
      sessionId: this.id,
      state: state.kind,
      endReason: state.kind === 'stopping' || state.kind === 'ended' ? state.reason : undefined,
      startFailure: this.#startError?.message,
      exit: state.kind === 'ended' && state.exit !== undefined ? describeExit(state.exit) : undefined,
      pid: this.#process?.process.pid,
      port: this.#process?.port,
      logFile: (this.#process ?? this.#startError)?.log.path,
      createdAt: this.#createdAt.toISOString(),
      startMs: this.#start?.startMs,
      warm: this.#start?.warm,
      requests: this.#requests,
      activeRequests: this.#idle.activeRequests,
      pings: this.#pings,
      busy: this.#idle.busy,
      lastPingWait: this.#pingWaits.last,
      lastContainerError: this.#lastContainerError,
    };
  }

  async #begin(): Promise<AgentProcess> {
    const { pool, clock, timing, faults } = this.#init;
    const killAfterMs = faults?.onStart(this.agent.name, this.id);
    const taken =
      killAfterMs === undefined
        ? pool.take(this.#ending.signal)
        : pool.startDoomed(this.#ending.signal, killAfterMs);
    const { agent, warm } = await taken.catch((error: unknown) => {
      if (error instanceof AgentStartError) {
        error.log.assign(this.id);
        this.#startError = error;
      }
      throw error;
    });
    this.#process = agent;
    agent.log.assign(this.id);
    if (!warm) {
      const waitedMs = clock.nowMs() - this.#createdAtMs;
      await pause(timing.coldStartDelayMs - waitedMs, { signal: this.#ending.signal }).catch(() => {});
    }
    this.#start = { startMs: clock.nowMs() - this.#createdAtMs, warm };
    this.#ending.signal.throwIfAborted();
    this.#dispatch({ kind: 'healthy', agent });
    return agent;
  }

  async #live(): Promise<void> {
    try {
      const agent = await this.#ready;
      void this.#watch(agent);
      // From this moment on a request must get a fresh process, not the remains of this one.
      void agent.process.exited.then((exit) => {
        if (this.#state.kind === 'ready') this.#settle(exit);
      });
    } catch {
      this.#dispatch({ kind: 'start_failed' });
    }
    // A stop during the cold-start delay finds a process that nobody else would end.
    if (this.#ending.signal.aborted) void this.#process?.process.stop(this.#init.timing.stopGraceMs);
    const exit = await this.#process?.process.gone;
    this.#settle(exit);
    this.#init.onEnded(this);
  }

  #settle(exit: ProcessExit | undefined): void {
    this.#dispatch({ kind: 'gone', exit });
    if (!this.#ending.signal.aborted) this.#ending.abort(new SessionEndedError(this.id, this.#endReason()));
  }

  async #watch(agent: AgentProcess): Promise<void> {
    const { timing, clock, faults } = this.#init;
    await runPingLoop({
      port: agent.port,
      intervalMs: timing.pingIntervalMs,
      signal: this.#ending.signal,
      isLost: () => faults?.losesPing(this) === true,
      nowMs: () => clock.nowMs(),
      onPing: (observation, sentAtMs) => {
        this.#pings += 1;
        this.#failedPings = observation.kind === 'failed' ? this.#failedPings + 1 : 0;
        const nowMs = clock.nowMs();
        this.#idle.pinged(observation, nowMs);
        this.#pingWaits.pinged(observation, { sentAtMs, nowMs });
        const decision = reapDecision({
          nowMs,
          startedAtMs: this.#createdAtMs,
          idleSinceMs: this.#idle.idleSinceMs,
          idleTimeoutMs: timing.idleTimeoutMs,
          maxLifetimeMs: timing.maxLifetimeMs,
          failedPings: this.#failedPings,
          maxFailedPings: timing.maxFailedPings,
        });
        if (decision.kind === 'reap') this.end(decision.reason);
      },
    });
  }

  #endReason(): SessionEndReason {
    return this.#state.kind === 'ended' || this.#state.kind === 'stopping' ? this.#state.reason : 'exited';
  }

  #dispatch(event: SessionEvent): void {
    this.#state = nextSessionState(this.#state, event);
  }
}
