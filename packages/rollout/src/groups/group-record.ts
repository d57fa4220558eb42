import type { BatchRecord } from '../batch/batch-record.ts';
import type { RolloutPlace } from '../journal/run/run-journal.ts';
import type { RunKeeper } from '../journal/run/run-keeper.ts';

/** What a run of groups writes down, and what it finds of an earlier life; a journal, where there is one. */
export interface GroupRecord {
  /** What the batch below is told: its payloads are attempts. */
  batchRecord: (placeOf: (index: number) => Required<RolloutPlace>) => BatchRecord;
  /** Whether an earlier process saw an attempt end with a document. */
  hasDocument: (index: number, member: number, attempt: number) => boolean;
  acknowledge: (index: number) => Promise<void>;
  inputsEnded: (count: number) => void;
}

export function groupRecord(keeper: RunKeeper, acknowledge: (index: number) => Promise<void>): GroupRecord {
  const { journal } = keeper;
  return {
    batchRecord: (placeOf) => ({
      broken: journal.broken,
      pastOf: (index) => keeper.pastOf(placeOf(index)),
      adopt: (past, signal) => keeper.adopt(past, signal),
      // The number of the attempt is the group's to give: a recalled one is begun again under the same.
      recorder: (index, _attempt, payload) => keeper.recorder(placeOf(index), payload),
      adoptedRecorder: (past) => keeper.adoptedRecorder(past),
      // Groups are acknowledged, not their members; and what ends are the inputs, not the attempts.
      acknowledge: () => Promise.resolve(),
      sourceEnded: () => undefined,
    }),
    hasDocument: (index, member, attempt) => {
      const state = keeper.pastOf({ index, member, attempt }).at(-1)?.state;
      return state?.phase === 'settled' && (state.outcome === 'ok' || state.outcome === 'agent_error');
    },
    acknowledge,
    inputsEnded: (count) => journal.sourceEnded(count),
  };
}
