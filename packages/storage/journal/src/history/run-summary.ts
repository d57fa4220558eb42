import type { CallOptions } from '@art/protocol';
import type { RunKind } from '../records/journal-record.ts';
import type { HeldBy, RolloutJournal } from '../log/rollout-journal.ts';
import { RunHistory, type OpenSession, type RolloutCounts } from './run-history.ts';

/** A journal's summary of a run; read without its payloads and without holding it. */
export interface RunSummary {
  runId: string;
  kind: RunKind;
  /** Undefined where results come from sessions, as `bucket`. */
  expId: string | undefined;
  bucket: string | undefined;
  /** Undefined where the runtime was given to the client ready-made. */
  agentRuntimeArn: string | undefined;
  createdAtMs: number;
  /** When anything was recorded last. */
  lastAtMs: number;
  /** Items; undefined where nobody has seen the end of their source. */
  itemCount: number | undefined;
  /** Items that consumers were done with. */
  acknowledged: number;
  /** Counts of rollouts, retries and replacements among them. */
  rollouts: RolloutCounts;
  /** Sessions that have not been seen to end. */
  openSessions: number;
  /** Everything was yielded and acknowledged. */
  isFinished: boolean;
  /** Undefined where no process holds it. */
  heldBy: HeldBy | undefined;
  /** Limits and policies that it was started with, under the names of the API. */
  options: Record<string, unknown>;
}

/**
 * Reads a journal's summary of one run.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_CORRUPT`
 */
export async function readRun(
  journal: RolloutJournal,
  runId: string,
  options: CallOptions = {},
): Promise<RunSummary> {
  const [history, heldBy] = await Promise.all([
    RunHistory.read(journal.read(runId, options)),
    journal.heldBy(runId, options),
  ]);
  const { kind, expId, bucket, agentRuntimeArn, createdAtMs } = history.run;
  return {
    runId,
    kind,
    expId,
    bucket,
    agentRuntimeArn,
    createdAtMs,
    lastAtMs: history.lastAtMs,
    itemCount: history.itemCount,
    acknowledged: history.acknowledgedCount,
    rollouts: history.counts,
    openSessions: history.openSessions().length,
    isFinished: history.isFinished,
    heldBy,
    options: history.run.options,
  };
}

/** A run that cannot be read, and why. */
export interface UnreadableRun {
  runId: string;
  error: unknown;
}

/** All runs of a journal, the oldest first; one that cannot be read does not hide the others. */
export async function listRuns(
  journal: RolloutJournal,
  options: CallOptions = {},
): Promise<(RunSummary | UnreadableRun)[]> {
  const runs: (RunSummary | UnreadableRun)[] = [];
  for (const runId of await journal.list(options)) {
    try {
      runs.push(await readRun(journal, runId, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      runs.push({ runId, error });
    }
  }
  const createdAtMs = (run: RunSummary | UnreadableRun): number => ('error' in run ? 0 : run.createdAtMs);
  return runs.toSorted((a, b) => createdAtMs(a) - createdAtMs(b));
}

/**
 * Sessions of a run that have not been seen to end.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_CORRUPT`
 */
export async function openSessions(
  journal: RolloutJournal,
  runId: string,
  options: CallOptions = {},
): Promise<OpenSession[]> {
  return (await RunHistory.read(journal.read(runId, options))).openSessions();
}
