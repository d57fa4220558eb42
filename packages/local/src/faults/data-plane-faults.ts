import { pause } from '../pause.ts';
import type { LocalAgent } from '../local-agent.ts';
import type { SessionHazards } from '../session/session-hazards.ts';
import type { Session } from '../session/session.ts';
import type { FaultOperation } from './fault-operation.ts';
import type { FaultInjector } from './fault-injector.ts';
import type { SessionNumbers } from './session-numbers.ts';
import type { StruckFault } from './struck-fault.ts';

/** Asks the plan about requests of the data plane, and about sessions. */
export class DataPlaneFaults implements SessionHazards {
  readonly #faults: FaultInjector;
  readonly #numbers: SessionNumbers;
  readonly #clock: { nowMs(): number };
  readonly #deafUntilMs = new WeakMap<Session, { untilMs: number; signal: AbortSignal }>();

  constructor(faults: FaultInjector, numbers: SessionNumbers, clock: { nowMs(): number }) {
    this.#faults = faults;
    this.#numbers = numbers;
    this.#clock = clock;
  }

  strike(operation: FaultOperation, agent: LocalAgent, sessionId: string): StruckFault | undefined {
    const isNew = operation === 'invoke' || operation === 'command' || operation === 'start';
    const sessionNumber = isNew
      ? this.#numbers.give(agent.name, sessionId)
      : this.#numbers.find(agent.name, sessionId);
    return this.#faults.strike({ operation, agent: agent.name, sessionId, sessionNumber });
  }

  /** Kills the session of a request: at once before it is passed on, or a while after the agent accepted it. */
  kill(struck: StruckFault | undefined, session: Session): void {
    if (struck?.fault.kind !== 'kill') return;
    if (struck.moment === 'before' || struck.durationMs === 0) {
      struck.settle(session.kill() ? 'done' : 'missed');
      return;
    }
    // A session that is ending still flushes: it can be killed until nothing of it is left.
    const gone = new AbortController();
    void session.gone.then(() => gone.abort());
    void pause(struck.durationMs, AbortSignal.any([gone.signal, struck.signal])).then(() =>
      struck.settle(!struck.signal.aborted && session.kill() ? 'done' : 'missed'),
    );
  }

  killAtStart(agent: LocalAgent, sessionId: string): number | undefined {
    const struck = this.strike('start', agent, sessionId);
    struck?.settle('done');
    return struck?.durationMs;
  }

  losesPing(session: Session): boolean {
    const nowMs = this.#clock.nowMs();
    const deaf = this.#deafUntilMs.get(session);
    if (deaf !== undefined && !deaf.signal.aborted && nowMs < deaf.untilMs) return true;
    const struck = this.strike('ping', session.agent, session.id);
    if (struck?.fault.kind !== 'lose_pings') return false;
    const forMs = struck.fault.forMs === undefined ? Number.POSITIVE_INFINITY : struck.durationMs;
    this.#deafUntilMs.set(session, { untilMs: nowMs + forMs, signal: struck.signal });
    struck.settle('done');
    return true;
  }
}
