import type { SessionAgent } from '../process/local-agent.ts';
import { BoundedMap } from '../service/bounded-map.ts';
import type { SessionEndReason } from '../service/endpoint-log.ts';
import { ServiceFault } from '../service/service-fault.ts';
import type { ServiceLimits } from '../service/service-limits.ts';
import { Session, type SessionDeps } from './session.ts';
import type { LocalSessionInfo } from './session-info.ts';
import { isRunning } from './session-state.ts';

const rememberedEndings = 1_000;
const rememberedStopTokens = 10_000;

/** Which session a request belongs to; the only place where sessions are made and forgotten. */
export class SessionTable {
  readonly #agents: readonly SessionAgent[];
  readonly #limits: ServiceLimits;
  readonly #deps: SessionDeps;
  /** By agent and id; a session is found here until it begins to end. */
  readonly #current = new Map<string, Session>();
  /** Everything that still holds a process, sessions on their way out included. */
  readonly #live = new Set<Session>();
  readonly #ended: LocalSessionInfo[] = [];
  /** By agent and id: how the last process of a session ended that nobody had told to. */
  readonly #ownEnds = new BoundedMap<string, string>(rememberedEndings);
  /** By agent, id and token. */
  readonly #stopOutcomes = new BoundedMap<string, 'stopped' | 'not_found'>(rememberedStopTokens);
  #closed = false;

  constructor(agents: readonly SessionAgent[], limits: ServiceLimits, deps: SessionDeps) {
    this.#agents = agents;
    this.#limits = limits;
    this.#deps = deps;
  }

  /**
   * The session of this id, started where there is none. An id whose session has ended gets a fresh process.
   * @throws ServiceFault when a limit stands against it.
   */
  open(agent: SessionAgent, sessionId: string): Session {
    if (this.#closed) {
      throw new ServiceFault({ type: 'InternalServerException', message: 'The local runtime is closing.' });
    }
    const key = tableKey(agent, sessionId);
    const current = this.#current.get(key);
    if (current?.state.kind === 'ready') return current;
    // On its way in or out.
    if (current !== undefined && current.state.kind !== 'ended') this.#limits.admitDuringTransition();
    if (current?.state.kind === 'starting') return current;
    if (current !== undefined) this.#noteEnd(key, current);
    this.#limits.admitNewSession(this.#live.size);
    const session = new Session(agent, sessionId, this.#deps);
    this.#current.set(key, session);
    this.#live.add(session);
    this.#deps.log.add({ kind: 'session_started', agent: agent.name, sessionId });
    void session.gone.then(() => this.#forget(key, session));
    return session;
  }

  /** How the last process of this session ended by itself, where it did, for a caller who asks the next one. */
  endOf(agent: SessionAgent, sessionId: string): string | undefined {
    return this.#ownEnds.get(tableKey(agent, sessionId));
  }

  /** The session that has an id now, whichever agent's it is. */
  find(sessionId: string): Session | undefined {
    for (const agent of this.#agents) {
      const session = this.#current.get(tableKey(agent, sessionId));
      if (session !== undefined) return session;
    }
    return undefined;
  }

  /**
   * Ends a session, at once from its caller's view. The same token gets the same answer.
   * @throws ServiceFault 404 when there is none.
   */
  stop(agent: SessionAgent, sessionId: string, clientToken: string | undefined): void {
    const key = tableKey(agent, sessionId);
    const tokenKey = `${key} ${clientToken}`;
    const before = clientToken === undefined ? undefined : this.#stopOutcomes.get(tokenKey);
    const outcome = before ?? this.#stop(key);
    if (clientToken !== undefined) this.#stopOutcomes.set(tokenKey, outcome);
    this.#deps.log.add({ kind: 'stop', agent: agent.name, sessionId, outcome });
    if (outcome === 'stopped') return;
    throw new ServiceFault({
      type: 'ResourceNotFoundException',
      message: `Runtime session ${sessionId} not found or already terminated`,
    });
  }

  #stop(key: string): 'stopped' | 'not_found' {
    const session = this.#current.get(key);
    if (session === undefined || !isRunning(session.state)) return 'not_found';
    session.end('stopped');
    return 'stopped';
  }

  /** Live sessions, then the last 1,000 that ended. */
  list(): LocalSessionInfo[] {
    return [...[...this.#live].map((session) => session.info()), ...this.#ended];
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
    const running = sessions.filter(({ state }) => isRunning(state));
    for (const session of running) session.end(reason);
    await Promise.all(sessions.map((session) => session.gone));
    return running.length;
  }

  #noteEnd(key: string, session: Session): void {
    if (session.state.kind !== 'ended') return;
    const { ownEnd } = session;
    if (ownEnd === undefined) this.#ownEnds.delete(key);
    else this.#ownEnds.set(key, ownEnd);
  }

  #forget(key: string, session: Session): void {
    // A fresh session may have taken the id while this one was on its way out; it was noted then.
    if (this.#current.get(key) === session) {
      this.#noteEnd(key, session);
      this.#current.delete(key);
    }
    this.#live.delete(session);
    const info = session.info();
    this.#ended.push(info);
    if (this.#ended.length > rememberedEndings) this.#ended.shift();
    if (session.state.kind !== 'ended') return;
    const { reason } = session.state;
    const { agent, sessionId, pid, exit } = info;
    this.#deps.log.add({ kind: 'session_ended', agent, sessionId, reason, pid, exit });
  }
}

function tableKey(agent: SessionAgent, sessionId: string): string {
  return `${agent.name} ${sessionId}`;
}
