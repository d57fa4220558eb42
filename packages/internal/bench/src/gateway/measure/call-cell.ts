import type { SubjectKind } from '../subjects/subject-kind.ts';

/** A load of whole calls under which subjects are compared. */
export interface CallCell {
  promptTokens: number;
  completionTokens: number;
  concurrency: number;
  /** Time of the engine for a call. */
  engineMs: number;
  /** Subjects, and their number of calls in a round. */
  calls: Partial<Record<SubjectKind, number>>;
}

/** A subject's figures in a cell: the median of the rounds, for each number by itself. */
export interface CellRun {
  subject: SubjectKind;
  rounds: number;
  callsEach: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU of the subject's process; undefined for the engine. */
  cpuMsPerCall: number | undefined;
  /** Lag of our gateway's event loop. */
  eventLoopLagP99Ms: number | undefined;
}

export interface CellResult {
  cell: CallCell;
  runs: CellRun[];
}
