import type { Clock } from '@art/ground';
import type { Fault, FaultDuration, FaultMoment } from '../plan/fault.ts';
import { drawDuration, faultChance } from './fault-chance.ts';
import type { FaultPlan } from '../plan/fault-plan.ts';
import { FaultRuleCounter } from './fault-rule-counter.ts';
import type { FaultTarget } from '../plan/fault-target.ts';
import type { InjectedFault, StruckFault } from './injected-fault.ts';

const rememberedFaults = 10_000;

/** The plan at work: what goes wrong with a request is asked here, and noted down here. */
export class FaultInjector {
  readonly #clock: Clock;
  #log: InjectedFault[] = [];
  #lastSeq = 0;
  #rules: FaultRuleCounter[] = [];
  #seed = 0;
  #setAtMs = 0;
  #replaced = new AbortController();

  constructor(clock: Clock, plan?: FaultPlan) {
    this.#clock = clock;
    this.setPlan(plan);
  }

  /** Starts a plan from its beginning, or ends injecting; what the plan before has pending does not happen. */
  setPlan(plan: FaultPlan | undefined): void {
    this.#replaced.abort(new Error('The fault plan was replaced.'));
    this.#replaced = new AbortController();
    this.#setAtMs = this.#clock.nowMs();
    this.#seed = plan?.seed ?? 0;
    this.#rules = (plan?.rules ?? []).map((rule, index) => new FaultRuleCounter(this.#seed, rule, index));
  }

  /** True if nothing can be struck, so that nobody needs to find out what a request is about. */
  get isIdle(): boolean {
    return this.#rules.length === 0;
  }

  /** The last 10,000 faults, or those behind a number. */
  injected(afterSeq = 0): InjectedFault[] {
    return this.#log
      .slice(-rememberedFaults)
      .filter(({ seq }) => seq > afterSeq)
      .map((fault) => ({ ...fault }));
  }

  /** The fault that a request meets, if any. Every rule counts the request, the first that chooses it strikes. */
  strike(target: FaultTarget): StruckFault | undefined {
    if (this.isIdle) return undefined;
    const ageMs = this.#clock.nowMs() - this.#setAtMs;
    let struck: StruckFault | undefined;
    for (const counter of this.#rules) {
      const match = counter.choose(target, ageMs);
      if (match !== undefined && struck === undefined) struck = this.#strike(counter, match, target);
    }
    return struck;
  }

  #strike(counter: FaultRuleCounter, match: number, target: FaultTarget): StruckFault {
    counter.strikes();
    const { fault } = counter.rule;
    const duration = durationOf(fault);
    const durationMs =
      duration === undefined
        ? undefined
        : drawDuration(duration, faultChance(this.#seed, counter.index, match, 'duration'));
    const moment = momentOf(fault, target);
    const { operation, agent, sessionId, bucket, key } = target;
    const entry: InjectedFault = {
      seq: (this.#lastSeq += 1),
      atMs: this.#clock.epochMs(),
      rule: counter.name,
      ruleIndex: counter.index,
      match,
      kind: fault.kind,
      moment,
      operation,
      agent,
      sessionId,
      bucket,
      key,
      status: fault.kind === 'error' ? fault.status : undefined,
      durationMs,
      outcome: 'pending',
    };
    this.#log.push(entry);
    // Rarely, and many at once.
    if (this.#log.length > rememberedFaults * 2) this.#log = this.#log.slice(-rememberedFaults);
    return {
      fault,
      moment,
      durationMs: durationMs ?? 0,
      signal: this.#replaced.signal,
      settle: (outcome) => {
        if (entry.outcome === 'pending') entry.outcome = outcome;
      },
    };
  }
}

function durationOf(fault: Fault): FaultDuration | undefined {
  if ('ms' in fault) return fault.ms;
  if ('forMs' in fault) return fault.forMs;
  return 'afterMs' in fault ? fault.afterMs : undefined;
}

function momentOf(fault: Fault, { operation }: FaultTarget): FaultMoment | undefined {
  switch (fault.kind) {
    case 'kill':
      return operation === 'start'
        ? undefined
        : (fault.moment ?? (operation === 'invoke' ? 'after' : 'before'));
    case 'drop':
    case 'delay':
    case 'reset':
    case 'error':
      return fault.moment ?? 'before';
    default:
      return undefined;
  }
}
