import { StoreError } from '@art/store';
import type { OutstandingKey } from './outstanding-keys.ts';
import type { SweepTask } from './plan-sweep.ts';
import type { SweepFailures } from './sweep-store.ts';

/** What became of a sweep in one bucket. */
export interface BucketReport extends SweepFailures {
  bucket: string;
  keys: readonly OutstandingKey[];
  tasks: number;
}

/** The smallest request of the kind that failed. */
export interface SweepProbe {
  kind: SweepTask['kind'];
  bucket: string;
  key: string;
}

/** Why a sweep counts as failed. */
export interface SweepFailure {
  error: unknown;
  /** Undefined where the sweep failed before it asked anything. */
  probe?: SweepProbe;
  /** Whether listing is what the store refuses to this caller. */
  isListDenied?: boolean;
}

/**
 * Whether a sweep has failed. Single failures are made up for by the next one; only a store that mostly fails is left
 * alone for longer.
 */
export function judgeSweep(reports: readonly BucketReport[]): SweepFailure | undefined {
  const failed = reports.reduce((sum, report) => sum + report.failed, 0);
  const tasks = reports.reduce((sum, report) => sum + report.tasks, 0);
  if (failed * 2 <= tasks) return undefined;
  const report = reports.find((one) => one.first !== undefined);
  if (report?.first === undefined) return undefined;
  const { error, task } = report.first;
  const isDenied = StoreError.isInstance(error) && error.code === 'ART_STORE_DENIED';
  return {
    error,
    probe: { kind: task.kind, bucket: report.bucket, key: report.keys[task.start]!.key },
    isListDenied: isDenied && task.kind === 'list',
  };
}
