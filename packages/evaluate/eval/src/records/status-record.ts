import { plainJson } from '@art/ground';
import { type RolloutOutcomeKind } from '@art/protocol';
import { readRecordFile } from './read-json-file.ts';
import { replaceRunFile, runPath } from './run-folder.ts';

/**
 * `status.json`: how far a run is. Replaced as a whole, at most every half a second. A `running` one that is older than ten seconds is of
 * a process that died.
 */
export interface StatusRecord {
  schema: 'art.status.v1';
  runId: string;
  /** `stopping`: its sessions are being stopped. `interrupted`: ended before all samples were there. */
  state: 'running' | 'paused' | 'stopping' | 'finished' | 'interrupted';
  pid: number;
  host: string;
  /** When this process began to work on the run, and when it wrote this; milliseconds since 1970. */
  startedAtMs: number;
  updatedAtMs: number;
  /** Samples in all; null until the tasks have been read to their end. */
  total: number | null;
  /** Samples with a line in `samples.jsonl`, those of earlier processes among them. */
  done: number;
  outcomes: Partial<Record<RolloutOutcomeKind, number>>;
  /** Samples that count, and their mean; null where there are none. */
  scored: number;
  meanScore: number | null;
  /** Most sessions at once, at this moment. */
  concurrency: number;
  /** Samples that are being judged. */
  judging: number;
  /** Attempts that were followed by another one. */
  retried: number;
  throttled: number;
  /** Null where those of a sample are not known. */
  tokens: { prompt: number; completion: number } | null;
  /** In the currency of the price table; null without one, or where that of a sample is not known. */
  cost: number | null;
  /** Sessions at work. */
  atWork: number;
  /** Samples under way, oldest first; at most 1,000. */
  live: LiveSample[];
}

export interface LiveSample {
  taskId: string;
  sample: number;
  /** From 0. */
  attempt: number;
  sessionId: string;
  submittedAtMs: number;
  /** Milliseconds since then. */
  acceptedMs: number | null;
  noticedMs: number | null;
}

export async function writeStatus(folder: string, status: StatusRecord): Promise<void> {
  await replaceRunFile(folder, 'status', `${plainJson(status)}\n`, { isDurable: false });
}

/** Undefined where the run has none. */
export function readStatus(folder: string): Promise<StatusRecord | undefined> {
  return readRecordFile(runPath(folder, 'status'), 'art.status.v1');
}
