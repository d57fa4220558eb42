import type { ReportTable } from '@art/eval';
import type { JsonObject } from '@art/ground';
import type { RunRecord, StatusRecord } from '@art/eval/records';

interface RunInfoBase {
  /** Path, as it was given or found. */
  folder: string;
  title: string;
  /** How many rows, or steps, have been read so far. A row that replaces an earlier one counts again. */
  read: number;
  /** True if more may come: somebody works on it, or the files have not been read to their end. */
  isLive: boolean;
  /** True until its files have been read to their end once: nothing that is missing is 0. */
  isReading?: boolean;
}

/** Folder of an evaluation, or a file of rollouts, each of which is shown as the only sample of a task. */
export interface EvaluationInfo extends RunInfoBase {
  kind: 'evaluation';
  agent: string;
  begunAtMs: number;
  /** Null for a file. */
  run: RunRecord | null;
  status: StatusRecord | null;
  /** `results.json`, once the run has one. */
  results: JsonObject | null;
  /** Its goal and ceilings, and how they ended it; null without any. */
  end: ReportTable | null;
}

/** Folder of a training run. */
export interface TrainingInfo extends RunInfoBase {
  kind: 'training';
}

/** A file of groups of rollouts. */
export interface GroupsInfo extends RunInfoBase {
  kind: 'groups';
}

/** A matrix or an audit, which is read as a whole. */
export interface ReportInfo extends RunInfoBase {
  kind: 'report';
  lines: readonly string[];
  tables: readonly ReportTable[];
  /** Folders of the runs that the rows of the first table are about. */
  folders: readonly string[];
}

export type RunInfo = EvaluationInfo | TrainingInfo | GroupsInfo | ReportInfo;

/** A training step; what is a number is drawn. */
export type ShownTrainingStep = JsonObject;
