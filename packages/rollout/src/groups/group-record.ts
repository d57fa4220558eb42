import type { AttemptRecord } from '../batch/batch-record.ts';
import type { MemberPlace } from './group-options.ts';

/** What the batch below is told: its payloads are attempts at members of groups. */
export function memberRecord(record: AttemptRecord, placeOf: (index: number) => MemberPlace): AttemptRecord {
  return {
    broken: record.broken,
    pastOf: ({ index }) => record.pastOf(placeOf(index)),
    adopt: (past, signal) => record.adopt(past, signal),
    // The number of the attempt is the group's to give: a recalled one is begun again under the same.
    recorder: ({ index }, payload) => record.recorder(placeOf(index), payload),
    adoptedRecorder: (past) => record.adoptedRecorder(past),
    // Groups are acknowledged, not their members; and what ends are the inputs, not the attempts.
    acknowledge: () => Promise.resolve(),
    sourceEnded: () => undefined,
  };
}

/** Whether an earlier process saw an attempt end with a document. */
export function hasDocument(record: AttemptRecord | undefined, place: MemberPlace): boolean {
  const state = record?.pastOf(place).at(-1)?.state;
  return state?.phase === 'settled' && (state.outcome === 'ok' || state.outcome === 'agent_error');
}
