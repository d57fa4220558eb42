import type { FaultOperation } from '../plan/fault-target.ts';
import type { Fault, FaultKind, FaultMoment } from '../plan/fault.ts';

/** One fault that was injected: as `injectedFaults()` and `GET /_art/faults` show it. */
export interface InjectedFault {
  /** From 1, over all plans of the runtime. */
  seq: number;
  /** Wall time in milliseconds since 1970. */
  atMs: number;
  /** Name of the rule, and its place in the list. */
  rule: string;
  ruleIndex: number;
  /** Number of the request among those that matched the rule. */
  match: number;
  kind: FaultKind;
  moment?: FaultMoment | undefined;
  operation: FaultOperation;
  agent?: string | undefined;
  sessionId?: string | undefined;
  bucket?: string | undefined;
  key?: string | undefined;
  /** The status of an error. */
  status?: number | undefined;
  /** The time that was drawn: of a delay, of a kill, until something is forgotten or seen again. */
  durationMs?: number | undefined;
  /**
   * `pending`: chosen, and not there yet. `done`: it struck. `missed`: there was nothing to strike any more, like a session
   * that had ended before it was to be killed.
   */
  outcome: 'pending' | 'done' | 'missed';
}

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
