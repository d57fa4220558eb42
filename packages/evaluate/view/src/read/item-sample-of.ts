import { rolloutLine, type RolloutNames, type SampleRecord, type TranscriptRecord } from '@art/eval/records';
import { wellFormedTranscript } from './well-formed.ts';

/**
 * A rollout as `art invoke --out` and `art train` write it, read as a sample: its task is its id in the payloads. Undefined for another
 * line.
 */
export function itemSampleOf(
  value: unknown,
  names: RolloutNames,
): { record: SampleRecord; transcript: TranscriptRecord } | undefined {
  const line = rolloutLine(value);
  if (line === undefined) return undefined;
  const {
    id: _id,
    runId: _runId,
    rewardProblem,
    document,
    conversation = { messages: [], calls: [] },
    inputId,
    modelCalls,
    failedCalls,
    trainedTokens: _trainedTokens,
    ...outcome
  } = line;
  const { reward, sessionId, timings } = outcome;
  const taskId = names.nameOf(line);
  const record: SampleRecord = {
    schema: 'art.sample.v1',
    id: taskId,
    taskId,
    sample: 0,
    tags: [],
    taskText: null,
    ...outcome,
    rewards: null,
    rewardedBy: reward === null ? null : 'agent',
    metrics: {},
    score: reward,
    remarks: [],
    judgeError: rewardProblem && {
      code: `reward_${rewardProblem.kind}`,
      message: rewardProblem.message,
      stack: null,
    },
    inputId,
    timings: { ...timings, storedMs: null },
    latencyMs: timings.settledMs,
    modelCalls: modelCalls ?? null,
    failedCalls: failedCalls ?? null,
    tokens: null,
    cost: null,
    transcript: null,
    recordedAtMs: 0,
  };
  const transcript: TranscriptRecord = {
    schema: 'art.transcript.v1',
    taskId,
    sample: 0,
    sessionId,
    payload: {},
    expected: null,
    document,
    ...conversation,
    rows: [],
    log: null,
  };
  return { record, transcript: wellFormedTranscript(transcript) };
}
