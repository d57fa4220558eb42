import { sampleId, type SampleRecord } from '@art/trajectories';

/** A sample that passed, but for what is given. */
export function sampleRecord(given: Partial<SampleRecord> = {}): SampleRecord {
  const { taskId = 'task-1', sample = 0 } = given;
  const reward = given.reward === undefined ? 1 : given.reward;
  return {
    schema: 'art.rollout.v1',
    id: sampleId(taskId, sample),
    taskId,
    sample,
    tags: [],
    taskText: null,
    outcome: 'ok',
    reward,
    rewards: null,
    rewardedBy: 'agent',
    metrics: {},
    score: reward,
    remarks: [],
    error: null,
    judgeError: null,
    sessionId: `session-${taskId}-${sample}`,
    invocationId: null,
    inputId: sampleId(taskId, sample),
    rewardProblem: null,
    judge: null,
    failedCalls: null,
    resultKey: null,
    submittedAtMs: 1_000,
    timings: { acceptedMs: 1, storedMs: null, noticedMs: 2, settledMs: 3, stoppedMs: 4 },
    attempts: [],
    latencyMs: 3,
    modelCalls: null,
    tokens: null,
    cost: null,
    transcript: null,
    recordedAtMs: 2_000,
    ...given,
  };
}
