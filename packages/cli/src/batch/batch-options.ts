import type { JournalPlace } from '../arguments/journal-argument.ts';
import type { InvokeOptions } from '../invoke/invoke-options.ts';

/** `art invoke --payloads` as its user wants it. */
export interface BatchRunOptions extends Omit<
  InvokeOptions,
  'payload' | 'sessionId' | 'inputId' | 'json' | 'timeoutMs'
> {
  /** File of payloads, `-` for stdin. */
  payloads: string;
  /** Undefined runs it without one. */
  journal?: JournalPlace | undefined;
  /** Id of the run. @default generated */
  run?: string | undefined;
  /** Most sessions at once. */
  concurrency: number;
  /** File that the outcomes are appended to. @default stdout */
  out?: string | undefined;
  timeoutMs: number;
  /** A count or a share. @default as the client has it */
  maxFailures?: number | undefined;
}
