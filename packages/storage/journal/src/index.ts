export { FileJournal, type FileJournalOptions } from './files/file-journal.ts';
export type { SyncPolicy } from './files/run-directory.ts';
export type { AppendedFile, JournalFileSystem } from './files/journal-file-system.ts';
export type { Leftover } from './files/journal-leftovers.ts';
export { payloadDigest } from './history/payload-digest.ts';
export type { OpenSession, PastRollout, PastState, RolloutCounts } from './history/run-history.ts';
export {
  listRuns,
  openSessions,
  readRun,
  type RunSummary,
  type UnreadableRun,
} from './history/run-summary.ts';
export type { JournalHolder } from './holder/journal-holder.ts';
export type { ProcessIdentity } from './holder/process-identity.ts';
export { resolveJournalChoice, type JournalChoice, type JournalRun } from './log/journal-choice.ts';
export type { HeldBy, LineLog, RolloutJournal } from './log/rollout-journal.ts';
export type { RunHeader, RunKind } from './records/journal-record.ts';
export { newRunId } from './records/run-id.ts';
export { beginRun, type RunFacts } from './run/begin-run.ts';
export { itemSource, type Item, type ItemName, type ItemSource } from './run/item-source.ts';
export { remainingItems } from './run/remaining-items.ts';
export { resumeRun, type ExpectedRun } from './run/resume-run.ts';
export type { IntendedWork, RolloutIntention, RolloutLog } from './run/rollout-log.ts';
export { RunLog } from './run/run-log.ts';
export { StoreJournal, type StoreJournalOptions } from './store/store-journal.ts';
