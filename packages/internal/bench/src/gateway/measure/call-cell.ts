import type { SubjectKind } from '../subjects/subject-kind.ts';

/** A load of whole calls under which subjects are compared. */
export interface CallCell {
  promptTokens: number;
  completionTokens: number;
  concurrency: number;
  /** What the engine takes for a call. */
  engineMs: number;
  /** Who takes part, and with how many calls in a round. */
  calls: Partial<Record<SubjectKind, number>>;
}

/** What a subject needed in a cell: the median of the rounds, for each number by itself. */
export interface CellRun {
  subject: SubjectKind;
  rounds: number;
  callsEach: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the subject's process; undefined for the engine. */
  cpuMsPerCall: number | undefined;
  /** Of our gateway. */
  eventLoopLagP99Ms: number | undefined;
}

export interface CellResult {
  cell: CallCell;
  runs: CellRun[];
}
