import type { SampleRecord } from '../records/sample-record.ts';
import { readTranscript } from '../records/transcript-record.ts';
import type { Judge } from './judge.ts';
import { scoreOf } from './score.ts';
import { unjudged, verdictBy } from './verdict.ts';
import { errorRecord } from './error-record.ts';

/** Judges a sample again by what was written down of it: no agent and no model is called, but for the judge's own. */
export async function rejudge(
  record: SampleRecord,
  judge: Judge,
  {
    folder,
    failureReward,
    signal,
  }: { folder: string; failureReward: number | null; signal?: AbortSignal | undefined },
): Promise<SampleRecord> {
  const verdict = record.outcome === 'ok' ? await verdictFrom(record, judge, folder, signal) : unjudged;
  return {
    ...record,
    ...verdict,
    score: scoreOf(record.outcome, verdict.reward, failureReward),
    recordedAtMs: Date.now(),
  };
}

async function verdictFrom(
  record: SampleRecord,
  judge: Judge,
  folder: string,
  signal: AbortSignal | undefined,
) {
  const { taskId: id, tags, sample } = record;
  try {
    if (record.transcript === null) throw new Error('The sample has no transcript.');
    const transcript = await readTranscript(folder, record.transcript);
    const { payload, expected, document } = transcript;
    const task = { id, payload, tags, expected };
    return await verdictBy(judge, { task, sample, document: document ?? {}, transcript }, signal);
  } catch (error) {
    signal?.throwIfAborted();
    return { ...unjudged, judgeError: errorRecord(error) };
  }
}
