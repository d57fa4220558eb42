import type { JournalPlace } from '../arguments/journal-argument.ts';

/** `art gc` as its user wants it. */
export interface GcOptions {
  journal?: JournalPlace | undefined;
  endpoint?: string | undefined;
  /** Only what nothing happened to for so long. */
  olderThan: number;
  /** Also runs that were never finished, where no session may live. */
  unfinished: boolean;
  /** Root of a store of files whose temporary files are looked through, too. */
  data?: string | undefined;
  /** Only tell what would be removed. */
  dryRun: boolean;
  json: boolean;
}
