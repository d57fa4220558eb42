import type { FaultKind, FaultMoment } from '../plan/fault.ts';
import type { FaultOperation } from '../plan/fault-operation.ts';

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
