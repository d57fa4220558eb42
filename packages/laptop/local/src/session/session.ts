import { type Clock, pause } from '@art/ground';
import type { SessionAgent } from '../process/local-agent.ts';
import { AgentStartError } from '../process/agent-start-error.ts';
import { describeExit, type ProcessExit } from '../process/guarded-process.ts';
import { pingAgent, type PingObservation } from '../process/ping-agent.ts';
import { describeOutput } from '../process/session-log.ts';
import type { AgentProcess } from '../process/start-agent-process.ts';
import type { EndpointLog, SessionEndReason } from '../service/endpoint-log.ts';
import type { RuntimeFaultHooks } from './runtime-faults.ts';
import { SessionActivity, type SessionTiming } from './session-activity.ts';
import type { ContainerError, LocalSessionInfo } from './session-info.ts';
import {
  nextSessionState,
  SessionEndedError,
  type SessionEvent,
  type SessionState,
} from './session-state.ts';

/** Parts that all sessions of a runtime share. */
export interface SessionDeps {
  timing: SessionTiming;
  clock: Clock;
  faults: RuntimeFaultHooks | undefined;
  log: Pick<EndpointLog, 'add'>;
}

/** One session: its own process from the first request until a stop, a reaper or its own end. */
export class Session {
  readonly id: string;
  readonly agent: SessionAgent;
  /** Resolves when nothing of the session is left; never rejects. */
  readonly gone: Promise<void>;
  readonly #deps: SessionDeps;
  readonly #createdAt = new Date();
  readonly #createdAtMs: number;
  readonly #ready: Promise<AgentProcess>;
  readonly #ending = new AbortController();
  readonly #activity: SessionActivity;
  #state: SessionState = { kind: 'starting' };
  #process: AgentProcess | undefined;
  #startError: AgentStartError | undefined;
  #start: { startMs: number; warm: boolean } | undefined;
  #lastContainerError: ContainerError | undefined;

  constructor(agent: SessionAgent, id: string, deps: SessionDeps) {
    this.agent = agent;
    this.id = id;
    this.#deps = deps;
    this.#createdAtMs = deps.clock.nowMs();
    this.#activity = new SessionActivity(deps.timing, this.#createdAtMs);
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
    this.#activity.requestBegan();
    return { [Symbol.dispose]: () => this.#activity.requestEnded(this.#deps.clock.nowMs()) };
  }

  /** Something came or went that is no request: the session is idle from now on, not from before. */
  touch(): void {
    this.#activity.touched(this.#deps.clock.nowMs());
  }

  /** Begins to end the session and returns at once; a session that is ending already is left alone. */
  end(reason: SessionEndReason): void {
    this.#dispatch({ kind: 'end', reason });
    if (this.#state.kind !== 'stopping' || this.#ending.signal.aborted) return;
    this.#beginEnding(reason);
    void this.#process?.process.stop(this.#deps.timing.stopGraceMs);
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
    const { requests, activeRequests, pings, busy } = this.#activity;
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
      requests,
      activeRequests,
      pings,
      busy,
      lastContainerError: this.#lastContainerError,
    };
  }

  async #begin(): Promise<AgentProcess> {
    const { clock, timing, faults, log } = this.#deps;
    const killAfterMs = faults?.onStart(this.agent.name, this.id);
    const { agent, warm } = await this.agent.pool
      .take(this.#ending.signal, killAfterMs)
      .catch((error: unknown) => {
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
    this.#dispatch({ kind: 'healthy' });
    log.add({ kind: 'session_ready', ...this.#name, pid: agent.process.pid, ...this.#start });
    return agent;
  }

  async #live(): Promise<void> {
    try {
      const agent = await this.#ready;
      void this.#watch(agent.port);
      // From this moment on a request must get a fresh process, not the remains of this one.
      void agent.process.exited.then((exit) => {
        if (this.#state.kind === 'ready') this.#settle(exit);
      });
    } catch {
      this.#dispatch({ kind: 'start_failed' });
    }
    // A stop during the cold-start delay finds a process that nobody else would end.
    if (this.#ending.signal.aborted) void this.#process?.process.stop(this.#deps.timing.stopGraceMs);
    this.#settle(await this.#process?.process.gone);
  }

  #settle(exit: ProcessExit | undefined): void {
    this.#dispatch({ kind: 'gone', exit });
    if (!this.#ending.signal.aborted) this.#beginEnding(this.#endReason());
  }

  #beginEnding(reason: SessionEndReason): void {
    this.#ending.abort(new SessionEndedError(this.id, reason));
    this.#tellWait(this.#activity.pingWaitMs);
  }

  #tellWait(waitedMs: number | undefined): void {
    if (waitedMs !== undefined) this.#deps.log.add({ kind: 'ping_waited', ...this.#name, waitedMs });
  }

  get #name(): { agent: string; sessionId: string } {
    return { agent: this.agent.name, sessionId: this.id };
  }

  /** Pings until the session ends. The next ping waits for the one before, so they never pile up on a blocked agent. */
  async #watch(port: number): Promise<void> {
    const { timing, clock, faults } = this.#deps;
    const { signal } = this.#ending;
    for (;;) {
      await pause(timing.pingIntervalMs, { signal }).catch(() => {});
      if (signal.aborted) return;
      const sentAtMs = clock.nowMs();
      const ping: PingObservation =
        faults?.losesPing(this) === true
          ? { kind: 'failed', why: 'lost on purpose' }
          : await pingAgent(port, timing.pingTimeoutMs, signal);
      if (signal.aborted) return;
      this.#tellWait(this.#activity.pinged(ping, sentAtMs, clock.nowMs()));
      const reason = this.#activity.endReason(clock.nowMs());
      if (reason !== undefined) this.end(reason);
    }
  }

  #endReason(): SessionEndReason {
    return this.#state.kind === 'ended' || this.#state.kind === 'stopping' ? this.#state.reason : 'exited';
  }

  #dispatch(event: SessionEvent): void {
    this.#state = nextSessionState(this.#state, event);
  }
}
