import { join } from 'node:path';
import { FileJournal, type LineLog } from '@art/journal';
import { ArtError } from '@art/ground';

/** The one run of the journal of a search. It has no lines: it says which process works on the search. */
const runId = 'search';

/** A search that this process has for itself. */
export interface HeldSearch extends AsyncDisposable {
  /** Aborts when another machine has taken the search over, because this one gave no sign of life for too long. */
  readonly lost: AbortSignal;
}

/**
 * Takes a search for this process, as runs of rollouts are taken: of several processes that try at once exactly one succeeds, and one that
 * was killed holds nothing.
 * @param folder of the search
 * @throws ArtError `ART_JOURNAL_LOCKED` where another process works on it
 */
export async function holdSearch(folder: string, signal: AbortSignal | undefined): Promise<HeldSearch> {
  const journal = new FileJournal({ directory: join(folder, 'journal') });
  const log = await journal.create(runId, [], { signal }).catch((error: unknown): Promise<LineLog> => {
    if (!ArtError.isInstance(error) || error.code !== 'ART_JOURNAL_EXISTS') throw error;
    return journal.open(runId, { signal });
  });
  return { lost: log.broken, [Symbol.asyncDispose]: () => log.close() };
}
