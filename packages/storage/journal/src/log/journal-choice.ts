import { refuseOption } from '@art/ground';
import { checkRunId } from '../records/run-id.ts';
import type { RolloutJournal } from './rollout-journal.ts';

/** A journal, and which run of it. */
export interface JournalRun {
  journal: RolloutJournal;
  /** @default generated for a new run; the one that was started last for a resume */
  runId?: string | undefined;
}

/** Where a run is recorded. */
export type JournalChoice = RolloutJournal | JournalRun;

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveJournalChoice(choice: JournalChoice): JournalRun {
  const run: JournalRun =
    typeof choice === 'object' && choice !== null && 'journal' in choice ? choice : { journal: choice };
  if (typeof run.journal?.create !== 'function')
    refuseOption('journal', 'a RolloutJournal, or { journal, runId }', run.journal);
  if (run.runId !== undefined) checkRunId(run.runId);
  return run;
}
