import type { SampleRecord, TranscriptRecord } from '@art/eval/records';
import { isJsonObject, type JsonObject } from '@art/protocol';

/** A rollout as `art invoke --out` writes it, read as a sample: its task is its position in the payloads. Undefined for another line. */
export function itemSampleOf(
  value: unknown,
  taskId: (runId: string, index: number) => string,
): { record: SampleRecord; transcript: TranscriptRecord } | undefined {
  if (!isJsonObject(value)) return undefined;
  const { runId, index, kind, reward, rewardProblem, sessionId, timings, error, document } = value;
  if (typeof kind !== 'string' || typeof index !== 'number' || 'members' in value) return undefined;
  const traceback = isJsonObject(document) ? document['traceback'] : undefined;
  const problem = isJsonObject(rewardProblem) ? rewardProblem : undefined;
  const lost = Array.isArray(value['attempts']) ? value['attempts'].filter(isJsonObject) : [];
  const settledMs = isJsonObject(timings) ? timings['settledMs'] : null;
  const id = taskId(String(runId), index);
  // Whoever shows it looks at every member, as at those of any file.
  const record = {
    schema: 'art.sample.v1',
    taskId: id,
    sample: 0,
    outcome: kind,
    reward,
    rewardedBy: reward === null ? null : 'agent',
    score: reward,
    error: isJsonObject(error) ? { ...error, stack: traceback } : null,
    judgeError: problem && { code: `reward_${String(problem['kind'])}`, message: problem['message'] },
    sessionId,
    invocationId: value['invocationId'],
    resultKey: value['resultKey'],
    timings,
    attempts: [
      ...lost.map((attempt) => ({ ...attempt, outcome: attempt['kind'] })),
      { sessionId, outcome: kind, settledMs, error },
    ],
    latencyMs: settledMs,
  } as unknown as SampleRecord;
  const transcript: TranscriptRecord = {
    schema: 'art.transcript.v1',
    taskId: id,
    sample: 0,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    payload: {},
    expected: null,
    document: isJsonObject(document) ? (document as JsonObject) : null,
    messages: [],
    calls: [],
    rows: [],
    log: null,
  };
  return { record, transcript };
}
