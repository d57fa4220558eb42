import type { Fault, FaultMoment } from '../plan/fault.ts';
import type { InjectedFault } from './injected-fault.ts';

/** The fault that a request meets. */
export interface StruckFault {
  readonly fault: Fault;
  /** When it strikes, defaults filled in; undefined where that says nothing. */
  readonly moment: FaultMoment | undefined;
  /** The time that was drawn for it; 0 for a fault without one. */
  readonly durationMs: number;
  /** Aborts when the plan is replaced or the runtime closes: nothing that is pending happens then. */
  readonly signal: AbortSignal;
  settle(outcome: Exclude<InjectedFault['outcome'], 'pending'>): void;
}
