import type {
  FaultyRuntime,
  FaultySession,
  RequestFault,
  RuntimeFaultHooks,
} from '../../session/runtime-faults.ts';
import type { S3Settings } from '../../s3/operations/s3-call.ts';
import type { FaultOperation } from '../plan/fault-target.ts';
import type { FaultPlan } from '../plan/fault-plan.ts';
import { S3Faults } from '../s3/s3-faults.ts';
import { FaultInjector } from '../strike/fault-injector.ts';
import type { InjectedFault, StruckFault } from '../strike/injected-fault.ts';
import { SessionNumbers } from '../strike/session-numbers.ts';
import { requestFault } from './request-fault.ts';

/** The faults of one runtime. */
export class AttachedFaults implements RuntimeFaultHooks {
  /** True if the runtime still runs. */
  isOpen = true;
  readonly #runtime: FaultyRuntime;
  readonly #injector: FaultInjector;
  readonly #numbers = new SessionNumbers();
  readonly #s3: S3Faults;
  readonly #unreachableUntilMs = new WeakMap<FaultySession, { untilMs: number; signal: AbortSignal }>();

  constructor(runtime: FaultyRuntime, plan: FaultPlan | undefined) {
    this.#runtime = runtime;
    this.#injector = new FaultInjector(runtime.clock, plan);
    this.#s3 = new S3Faults(this.#injector, runtime, this.#numbers);
  }

  /** Replaces the plan. What the one before has pending does not happen, and objects that it has hidden show again. */
  setPlan(plan: FaultPlan | undefined): void {
    this.#injector.setPlan(plan);
    this.#s3.showAll();
  }

  injected(afterSeq?: number): InjectedFault[] {
    return this.#injector.injected(afterSeq);
  }

  onRequest(
    operation: 'invoke' | 'stop' | 'command',
    agent: string,
    sessionId: string,
  ): RequestFault | undefined {
    const struck = this.#strike(operation, agent, sessionId);
    return struck === undefined ? undefined : requestFault(struck);
  }

  onStart(agent: string, sessionId: string): number | undefined {
    const struck = this.#strike('start', agent, sessionId);
    struck?.settle('done');
    return struck?.durationMs;
  }

  losesPing(session: FaultySession): boolean {
    const nowMs = this.#runtime.clock.nowMs();
    const unreachable = this.#unreachableUntilMs.get(session);
    if (unreachable !== undefined && !unreachable.signal.aborted && nowMs < unreachable.untilMs) return true;
    const struck = this.#strike('ping', session.agent.name, session.id);
    if (struck?.fault.kind !== 'lose_pings') return false;
    const forMs = struck.fault.forMs === undefined ? Number.POSITIVE_INFINITY : struck.durationMs;
    this.#unreachableUntilMs.set(session, { untilMs: nowMs + forMs, signal: struck.signal });
    struck.settle('done');
    return true;
  }

  aroundS3(settings: S3Settings): S3Settings {
    return this.#s3.around(settings);
  }

  close(): void {
    this.setPlan(undefined);
    this.isOpen = false;
  }

  #strike(operation: FaultOperation, agent: string, sessionId: string): StruckFault | undefined {
    const isNew = operation === 'invoke' || operation === 'command' || operation === 'start';
    const sessionNumber = isNew ? this.#numbers.give(agent, sessionId) : this.#numbers.find(agent, sessionId);
    return this.#injector.strike({ operation, agent, sessionId, sessionNumber });
  }
}
