import { ArtError } from '@art/ground';
import { type CallOptions } from '@art/protocol';
import type { RunKind, RunHeader } from '../records/journal-record.ts';
import { decodeRecord } from '../records/record-codec.ts';
import type { RolloutJournal } from '../log/rollout-journal.ts';

/**
 * The run of a kind that was started last.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`
 */
export async function newestRun(
  journal: RolloutJournal,
  kind: RunKind,
  options: CallOptions,
): Promise<string> {
  let newest: RunHeader | undefined;
  for (const runId of await journal.list(options)) {
    const run = await runRecord(journal, runId, options);
    if (run?.kind === kind && run.createdAtMs >= (newest?.createdAtMs ?? 0)) newest = run;
  }
  if (newest !== undefined) return newest.runId;
  throw new ArtError({
    code: 'ART_JOURNAL_NOT_FOUND',
    message: `Expected a run of kind "${kind}" in the journal, found none. Start one with option journal, or check the place of the journal.`,
  });
}

/** How a run begins; what follows is not read. */
async function runRecord(
  journal: RolloutJournal,
  runId: string,
  options: CallOptions,
): Promise<RunHeader | undefined> {
  for await (const lines of journal.read(runId, options)) {
    for (const [index, line] of lines.entries()) {
      const record = decodeRecord(line, index + 1);
      if (record?.type === 'run') return record;
    }
  }
  return undefined;
}
