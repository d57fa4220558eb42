import type { GroupRow } from '../../report/group-row.ts';
import type { RunInfo, ShownTrainingStep } from '../../report/run-info.ts';
import type { SampleRow } from '../../report/sample-row.ts';

/** True while nothing of a run is here that has something: zeros would be wrong. */
export function isAwaited({ info, received }: RunData): boolean {
  return received === 0 && (info.read > 0 || info.isReading === true);
}

/** A run as far as the page has it. A change makes a new object, so that what is derived from it can be kept until then. */
export interface RunData {
  info: RunInfo;
  /** By position. */
  rows: readonly SampleRow[];
  steps: readonly ShownTrainingStep[];
  groups: readonly GroupRow[];
  /** Number of the rows of `info.read` that the page has. */
  received: number;
}
