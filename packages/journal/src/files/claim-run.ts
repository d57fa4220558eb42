import { journalWriteFailed, runLocked, runNotFound } from '../log/journal-refusal.ts';
import { showsLife } from '../holder/shows-life.ts';
import type { RunDirectory } from './run-directory.ts';
import type { SegmentFileSettings } from './segment-file-settings.ts';

/**
 * Makes this process the owner of a run that nobody holds, by adding the next segment. Where several try at once the name
 * of the file decides.
 * @returns the number of the segment
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_WRITE_FAILED`
 */
export async function claimRun(
  run: RunDirectory,
  settings: SegmentFileSettings,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (;;) {
    const last = await run.lastSegment();
    if (last === undefined) throw runNotFound(run.runId, run.where);
    const heldBy = await run.heldBy(last);
    if (heldBy?.state === 'alive') throw runLocked(run.runId, heldBy);
    if (heldBy?.state === 'unknown') {
      const isAlive = await showsLife(() => run.signOfLife(last), settings, signal);
      if (isAlive) throw runLocked(run.runId, heldBy);
    }
    try {
      if ((await run.addSegment(last + 1, [], settings)) === 'added') return last + 1;
    } catch (error) {
      throw journalWriteFailed(run.runId, run.where, error);
    }
  }
}
