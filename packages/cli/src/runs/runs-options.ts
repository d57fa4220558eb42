import type { JournalPlace } from '../arguments/journal-argument.ts';

/** `art runs` as its user wants it. */
export interface RunsOptions {
  journal?: JournalPlace | undefined;
  /** S3 of a journal that is in a bucket. */
  endpoint?: string | undefined;
  /** One JSON object a line. */
  json: boolean;
}
