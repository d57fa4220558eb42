import type { Clock } from '@art/ground';
import { RunHistory } from '../history/run-history.ts';
import type { JournalRun } from '../log/journal-choice.ts';
import { journalVersion, type RunHeader } from '../records/journal-record.ts';
import { encodeRecord } from '../records/record-codec.ts';
import { RunLog } from './run-log.ts';

/** Facts that are written down of a new run besides its id and its age. */
export type RunFacts = Omit<RunHeader, 'type' | 'version' | 'runId' | 'createdAtMs'>;

/**
 * Begins a run: its options are written down before anything else happens.
 * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`; the signal's reason
 */
export async function beginRun(
  { journal, runId }: JournalRun,
  facts: RunFacts,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<RunLog> {
  const header: RunHeader = {
    type: 'run',
    version: journalVersion,
    runId: runId ?? facts.inputIdPrefix,
    createdAtMs: Math.round(clock.epochMs()),
    ...facts,
  };
  const lines = [encodeRecord(header)];
  const log = await journal.create(header.runId, lines, { signal });
  return new RunLog(log, RunHistory.of(lines), clock);
}
