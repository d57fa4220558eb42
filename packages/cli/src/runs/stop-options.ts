import type { JournalPlace } from '../arguments/journal-argument.ts';
import type { RunTargetOptions } from './run-target.ts';

/** `art stop` as its user wants it. */
export interface StopOptions extends RunTargetOptions {
  /** Undefined means all runs of the journal. */
  run: string | undefined;
  journal?: JournalPlace | undefined;
  qualifier?: string | undefined;
  /** Only tell what would be stopped. */
  dryRun: boolean;
  /** Also the sessions of a run that a process holds. */
  force: boolean;
  json: boolean;
}
