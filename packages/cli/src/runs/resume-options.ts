import type { JournalPlace } from '../arguments/journal-argument.ts';
import type { RunTargetOptions } from './run-target.ts';

/** `art resume` as its user wants it; what is left out is as the run was started with. */
export interface ResumeRunOptions extends RunTargetOptions {
  run: string;
  /** File of the payloads that the run was started with, `-` for stdin. */
  payloads: string;
  journal?: JournalPlace | undefined;
  qualifier?: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  /** Further fields of `_rollout`. */
  set?: Readonly<Record<string, unknown>> | undefined;
  concurrency?: number | undefined;
  timeoutMs?: number | undefined;
  /** A count or a share. @default as before */
  maxFailures?: number | undefined;
  /** Whether the store is asked first whether results can be read. @default true */
  storeCheck?: boolean | undefined;
  out?: string | undefined;
}
