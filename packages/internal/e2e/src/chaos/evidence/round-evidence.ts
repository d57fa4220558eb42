import type { InjectedFault } from '@art/local/faults';
import type { EndpointLogEntry } from '@art/local';
import type { ChaosPayload } from '../round/chaos-payload.ts';
import type { ClientLine } from './client-line.ts';
import type { HandlerRun } from './handler-run.ts';

/** Everything that is known of a round, none of it from the client's word but its own lines. */
export interface RoundEvidence {
  payloads: readonly ChaosPayload[];
  /** Lines of all lives, in the order in which they were written. */
  lines: readonly ClientLine[];
  handlerRuns: readonly HandlerRun[];
  log: readonly EndpointLogEntry[];
  faults: readonly InjectedFault[];
  /** True if the endpoint was killed, so that the last moments before are missing from its log. */
  logHasGaps: boolean;
  /** Lives that were started together. */
  twins: readonly (readonly [number, number])[];
  /** The life that had nothing left to do. */
  finalLife: number;
  /** Ids of sessions that live on after it. */
  leftSessions: readonly string[];
  /** By which agents prove that a document is theirs. */
  secret: string;
}

export interface Violation {
  invariant:
    | 'lost'
    | 'doubled'
    | 'ran_twice'
    | 'forged'
    | 'wrong_outcome'
    | 'orphan'
    | 'two_holders'
    | 'refused';
  message: string;
  /** Which payload it is about. */
  n?: number | undefined;
}
