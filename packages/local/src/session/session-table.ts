import type { Clock } from '@art/async';
import type { LocalAgent } from '../process/local-agent.ts';
import type { WarmPool } from '../process/warm-pool.ts';
import { BoundedMap } from '../service/bounded-map.ts';
import type { EndpointLog, SessionEndReason } from '../service/endpoint-log.ts';
import type { MetricsRecorder } from '../service/metrics.ts';
import { ServiceFault } from '../service/service-fault.ts';
import type { ServiceLimits } from '../service/service-limits.ts';
import { Session, type SessionTiming } from './session.ts';
import type { RuntimeFaultHooks } from './runtime-faults.ts';
import type { LocalSessionInfo } from './session-info.ts';

export interface SessionTableInit {
  pools: ReadonlyMap<LocalAgent, WarmPool>;
  timing: SessionTiming;
  limits: ServiceLimits;
  metrics: MetricsRecorder;
  log: EndpointLog;
  faults: RuntimeFaultHooks | undefined;
  clock: Clock;
}

const rememberedEndings = 1_000;
const rememberedStopTokens = 10_000;

/** Which session a request belongs to; the only place where sessions are made and forgotten. */
export class SessionTable {
  readonly #init: SessionTableInit;
  /** By agent and id; a session is found here until it begins to end. */
  readonly #current = new Map<string, Session>();
  /** Everything that still holds a process, sessions on their way out included. */
  readonly #live = new Set<Session>();
  readonly #ended = new BoundedMap<symbol, LocalSessionInfo>(rememberedEndings);
  /** By agent and id: how the last process of a session ended that nobody had told to. */
  readonly #ownEnds = new BoundedMap<string, string>(rememberedEndings);
  readonly #stopTokens = new BoundedMap<string, ServiceFault | undefined>(rememberedStopTokens);
  #closed = false;

  constructor(init: SessionTableInit) {
    this.#init = init;
  }

  get liveCount(): number {
    return this.#live.size;
  }

  /**
   * The session of this id, started where there is none. An id whose session has ended gets a fresh process.
   * @throws ServiceFault when a limit stands against it.
   */
  open(agent: LocalAgent, sessionId: string): Session {
    const { limits, metrics, log, faults, pools, timing, clock } = this.#init;
    if (this.#closed) {
      throw new ServiceFault({ type: 'InternalServerException', message: 'The local runtime is closing.' });
    }
    const key = tableKey(agent, sessionId);
    const current = this.#current.get(key);
    if (current?.state.kind === 'ready') return current;
    if (current?.state.kind === 'starting') {
      limits.admitDuringTransition();
      return current;
    }
    if (current?.state.kind === 'stopping') limits.admitDuringTransition();
    if (current !== undefined) this.#noteEnd(key, current);
    limits.admitNewSession(this.#live.size);
    const pool = pools.get(agent);
    if (pool === undefined) throw new Error(`The agent ${agent.name} has no pool of processes.`);
    const session = new Session({
      id: sessionId,
      agent,
      pool,
      timing,
      clock,
      faults,
      onEnded: (ended) => this.#forget(key, ended),
    });
    this.#current.set(key, session);
    this.#live.add(session);
    metrics.sessionStarted(this.#live.size);
    log.add({ kind: 'session_started', agent: agent.name, sessionId });
    return session;
  }

  /** How the last process of this session ended by itself, where it did, for a caller who asks the next one. */
  endOf(agent: LocalAgent, sessionId: string): string | undefined {
    return this.#ownEnds.get(tableKey(agent, sessionId));
  }

  /** The session that has an id now, whichever agent's it is. */
  find(sessionId: string): Session | undefined {
    for (const agent of this.#init.pools.keys()) {
      const session = this.#current.get(tableKey(agent, sessionId));
      if (session !== undefined) return session;
    }
    return undefined;
  }

  /**
   * Ends a session, at once from its caller's view. The same token gets the same answer.
   * @throws ServiceFault 404 when there is none.
   */
  stop(agent: LocalAgent, sessionId: string, clientToken: string | undefined): void {
    const key = tableKey(agent, sessionId);
    const tokenKey = `${key} ${clientToken}`;
    if (clientToken !== undefined && this.#stopTokens.has(tokenKey)) {
      const answer = this.#stopTokens.get(tokenKey);
      if (answer !== undefined) throw answer;
      return;
    }
    const fault = this.#end(key, sessionId);
    if (clientToken !== undefined) this.#stopTokens.set(tokenKey, fault);
    if (fault !== undefined) throw fault;
  }

  /** Live sessions, then the last 1,000 that ended. */
  list(): LocalSessionInfo[] {
    return [...[...this.#live].map((session) => session.info()), ...this.#ended.values()];
  }

  /** Ends every session and resolves when nothing of them is left. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.endAll('closed');
  }

  /**
   * Ends the sessions there are and resolves when nothing of them is left. Ids that are used meanwhile get fresh sessions.
   * @returns how many were not on their way out already
   */
  async endAll(reason: SessionEndReason): Promise<number> {
    const sessions = [...this.#live];
    const running = sessions.filter(({ state }) => state.kind === 'starting' || state.kind === 'ready');
    for (const session of running) session.end(reason);
    await Promise.all(sessions.map((session) => session.gone));
    return running.length;
  }

  #end(key: string, sessionId: string): ServiceFault | undefined {
    const session = this.#current.get(key);
    if (session?.state.kind === 'starting' || session?.state.kind === 'ready') {
      session.end('stopped');
      return undefined;
    }
    return new ServiceFault({
      type: 'ResourceNotFoundException',
      message: `Runtime session ${sessionId} not found or already terminated`,
    });
  }

  #noteEnd(key: string, session: Session): void {
    if (session.state.kind !== 'ended') return;
    const { ownEnd } = session;
    if (ownEnd === undefined) this.#ownEnds.delete(key);
    else this.#ownEnds.set(key, ownEnd);
  }

  #forget(key: string, session: Session): void {
    // What is not current any more was noted when another took its place.
    if (this.#current.get(key) === session) this.#noteEnd(key, session);
    // A fresh session may have taken the id while this one was on its way out.
    if (this.#current.get(key) === session) this.#current.delete(key);
    this.#live.delete(session);
    const info = session.info();
    this.#ended.set(Symbol(session.id), info);
    if (session.state.kind !== 'ended') return;
    const { reason } = session.state;
    this.#init.metrics.sessionEnded(reason);
    const { agent, sessionId, pid, exit } = info;
    this.#init.log.add({ kind: 'session_ended', agent, sessionId, reason, pid, exit });
  }
}

function tableKey(agent: LocalAgent, sessionId: string): string {
  return `${agent.name} ${sessionId}`;
}
