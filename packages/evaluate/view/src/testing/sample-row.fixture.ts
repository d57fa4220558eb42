import type { SampleRow } from '../report/sample-row.ts';

/** A sample that passed, but for what is given. */
export function sampleRow(given: Partial<SampleRow> = {}): SampleRow {
  return {
    at: 0,
    taskId: 'task-1',
    sample: 0,
    tags: [],
    taskText: null,
    outcome: 'ok',
    reward: 1,
    score: 1,
    metrics: {},
    submittedAtMs: 1_000,
    acceptedMs: 100,
    storedMs: 800,
    noticedMs: 850,
    settledMs: 860,
    stoppedMs: 900,
    latencyMs: 860,
    modelCalls: 2,
    tokens: 100,
    cost: null,
    attempts: [{ outcome: 'ok', submittedAtMs: 1_000, settledMs: 860, throttled: 0, resent: 0 }],
    sessionId: 'session',
    problem: null,
    remark: null,
    recordedAtMs: 2_000,
    ...given,
  };
}
