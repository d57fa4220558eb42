import type { SampleRecord, TranscriptRecord } from '@art/eval/records';
import { isJsonObject, type JsonObject } from '@art/protocol';
import { wellFormedOutcome } from './well-formed.ts';

/** A rollout as `art invoke --out` writes it, read as a sample: its task is its id in the payloads. Undefined for another line. */
export function itemSampleOf(
  value: unknown,
  taskIdOf: (runId: string, id: string) => string,
): { record: SampleRecord; transcript: TranscriptRecord } | undefined {
  if (!isJsonObject(value) || typeof value['outcome'] !== 'string' || 'members' in value) return undefined;
  const { rewardProblem, ...outcome } = wellFormedOutcome(value);
  const { reward, sessionId, timings } = outcome;
  const taskId = taskIdOf(String(value['runId']), String(value['id']));
  const document = isJsonObject(value['document']) ? (value['document'] as JsonObject) : null;
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
    inputId: typeof value['inputId'] === 'string' ? value['inputId'] : null,
    timings: { ...timings, storedMs: null },
    latencyMs: timings.settledMs,
    modelCalls: null,
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
    messages: [],
    calls: [],
    rows: [],
    log: null,
  };
  return { record, transcript };
}
