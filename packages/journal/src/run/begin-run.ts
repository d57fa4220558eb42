import type { Clock } from '@art/async';
import { PayloadDigests } from '../history/payload-digests.ts';
import { RunHistory } from '../history/run-history.ts';
import type { JournalRun } from '../log/journal-choice.ts';
import type { RunHeader } from '../records/journal-record.ts';
import { encodeRecord } from '../records/record-codec.ts';
import { indexedSource, type IndexedSource } from './indexed-source.ts';
import { RunSession } from './run-session.ts';

/** A run that this process holds, and what of its source is to be done. */
export interface OpenRun<T> {
  session: RunSession;
  source: IndexedSource<T>;
}

/** What is written down of a new run besides its id, its age and its payloads. */
export type RunFacts = Pick<
  RunHeader,
  'kind' | 'inputIdPrefix' | 'expId' | 'bucket' | 'agentRuntimeArn' | 'options' | 'callbacks'
>;

/**
 * Begins a run: its payloads' digests and its options are written down before anything else happens.
 * @param values payloads of a batch, or inputs of groups
 * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`; the signal's reason
 */
export async function beginRun<T>(
  { journal, runId }: JournalRun,
  values: Iterable<T> | AsyncIterable<T>,
  facts: RunFacts,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<OpenRun<T>> {
  const digests = Array.isArray(values) ? await PayloadDigests.of(values, signal) : undefined;
  const header: RunHeader = {
    type: 'run',
    version: 1,
    runId: runId ?? facts.inputIdPrefix,
    createdAtMs: Math.round(clock.epochMs()),
    payloadCount: digests?.count,
    ...facts,
  };
  const lines = [encodeRecord(header), ...Array.from(digests?.toRecords() ?? [], encodeRecord)];
  const log = await journal.create(header.runId, lines, { signal });
  return { session: new RunSession(log, RunHistory.of(lines), clock), source: indexedSource(values) };
}
