import type { SampleRecord } from '@art/trajectories';
import type { SampleRow } from '../report/sample-row.ts';

const mostProblemCharacters = 300;

export function sampleRowOf(record: SampleRecord, at: number): SampleRow {
  const { timings, tokens } = record;
  const problem = record.error ?? record.judgeError;
  return {
    at,
    taskId: record.taskId,
    sample: record.sample,
    tags: record.tags,
    taskText: record.taskText,
    outcome: record.outcome,
    reward: record.reward,
    score: record.score,
    metrics: record.metrics,
    submittedAtMs: record.submittedAtMs,
    acceptedMs: timings.acceptedMs,
    storedMs: timings.storedMs,
    noticedMs: timings.noticedMs,
    settledMs: timings.settledMs,
    stoppedMs: timings.stoppedMs,
    latencyMs: record.latencyMs,
    modelCalls: record.modelCalls,
    tokens: tokens === null ? null : tokens.prompt + tokens.completion,
    cost: record.cost,
    attempts: record.attempts.map(({ outcome, submittedAtMs, settledMs, throttled, resent }) => ({
      outcome,
      submittedAtMs,
      settledMs,
      throttled,
      resent,
    })),
    sessionId: record.sessionId,
    problem: problem === null ? null : firstLine(`${problem.code}: ${problem.message}`),
    remark: record.remarks[0] === undefined ? null : firstLine(record.remarks[0]),
    recordedAtMs: record.recordedAtMs,
  };
}

function firstLine(text: string): string {
  const line = text.slice(0, 4 * mostProblemCharacters).split('\n', 1)[0]!;
  return line.length > mostProblemCharacters ? `${line.slice(0, mostProblemCharacters)}…` : line;
}
