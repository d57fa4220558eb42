import { rmdir } from 'node:fs/promises';
import { FileJournal, type JournalRun, readRun } from '@art/journal';
import { runPath } from '../records/run-folder.ts';

/** The one run of the journal of an evaluation. Its items are samples. */
const runId = 'samples';

/** The journal of an evaluation: which of its sessions are under way. */
export interface SampleJournal extends JournalRun {
  /** True if an earlier process began it. */
  wasBegun: boolean;
}

/** Opens the journal of the evaluation in a folder. */
export async function openSampleJournal(folder: string): Promise<SampleJournal> {
  const directory = runPath(folder, 'journal');
  const journal = new FileJournal({ directory });
  const known = await journal.list();
  return { journal, runId, wasBegun: known.includes(runId) };
}

/** Removes journals that nobody needs any more: nothing is left to do, and no session may live. */
export async function removeEndedJournals(folder: string): Promise<void> {
  const directory = runPath(folder, 'journal');
  const journal = new FileJournal({ directory });
  for (const id of await journal.list()) {
    const { heldBy, isFinished, openSessions } = await readRun(journal, id);
    if (heldBy?.state !== 'alive' && isFinished && openSessions === 0) await journal.remove(id);
  }
  // It is not empty where one is left.
  await rmdir(directory).catch(() => undefined);
}
