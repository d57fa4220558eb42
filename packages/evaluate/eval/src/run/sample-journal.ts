import { rmdir } from 'node:fs/promises';
import { FileJournal, type JournalRun, readRun } from '@art/journal';
import { ArtError } from '@art/ground';
import { runPath } from '../records/run-folder.ts';

/** The one run of the journal of an evaluation. Its items are samples. */
const runId = 'samples';

/** The journal of an evaluation: which of its sessions are under way. */
export interface SampleJournal extends JournalRun {
  /** Whether an earlier process began it. */
  wasBegun: boolean;
}

/** @throws ArtError `ART_INVALID_OPTION` where an earlier version left sessions under way that this one cannot take up */
export async function openSampleJournal(folder: string): Promise<SampleJournal> {
  const directory = runPath(folder, 'journal');
  const journal = new FileJournal({ directory });
  const known = await journal.list();
  for (const other of known.filter((id) => id !== runId)) {
    const { openSessions } = await readRun(journal, other);
    if (openSessions === 0) continue;
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected a run of this version in ${folder}, got one that an earlier version broke off with ${openSessions} sessions under way, known to it by position. Stop them with "art stop ${other} --journal ${directory}", then go on: their samples run again.`,
    });
  }
  return { journal, runId, wasBegun: known.includes(runId) };
}

/** Removes journals that nobody needs any more: nothing is left to do, and no session may live. */
export async function removeEndedJournals(folder: string): Promise<void> {
  const directory = runPath(folder, 'journal');
  const journal = new FileJournal({ directory });
  for (const id of await journal.list()) {
    const { heldBy, isFinished, openSessions } = await readRun(journal, id);
    const isOver = isFinished || id !== runId;
    if (heldBy?.state !== 'alive' && isOver && openSessions === 0) await journal.remove(id);
  }
  // It is not empty where one is left.
  await rmdir(directory).catch(() => undefined);
}
