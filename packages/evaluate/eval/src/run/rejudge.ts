import { Semaphore } from '@art/ground';
import type { SampleRecord } from '@art/trajectories';
import { readTranscript } from '../records/transcript-record.ts';
import type { Judge } from './judge.ts';
import { scoreOf } from '../records/score.ts';
import { judgeError, unjudged, verdictBy } from './verdict.ts';

export interface RejudgeOptions {
  folder: string;
  failureReward: number | null;
  /** Most that are judged at once. */
  concurrency: number;
  signal?: AbortSignal | undefined;
  /** Given each of them as it is judged. What it throws ends it all. */
  onJudged: (record: SampleRecord) => Promise<void>;
}

/** Judges samples again by what was written down of them: no agent and no model is called, but for the judge's own. */
export function rejudgeAll(
  samples: AsyncIterable<SampleRecord> | Iterable<SampleRecord>,
  judge: Judge,
  options: RejudgeOptions,
): Promise<void> {
  return judgeAll(samples, options, async (sample) =>
    options.onJudged(await rejudge(sample, judge, options)),
  );
}

/** Does the same for each sample, so many at once. What it throws ends it all. */
export async function judgeAll<Sample>(
  samples: AsyncIterable<Sample> | Iterable<Sample>,
  { concurrency, signal }: Pick<RejudgeOptions, 'concurrency' | 'signal'>,
  judgeOne: (sample: Sample) => Promise<void>,
): Promise<void> {
  const judging = new Semaphore(concurrency);
  const pending = new Set<Promise<void>>();
  let failure: { reason: unknown } | undefined;
  for await (const sample of samples) {
    if (signal?.aborted === true || failure !== undefined) break;
    const done = judging
      .run(signal, () => judgeOne(sample))
      .catch((reason: unknown) => {
        failure ??= { reason };
      })
      .finally(() => pending.delete(done));
    pending.add(done);
    // What waits is bounded, so that a run of any length fits into the memory.
    if (pending.size >= 2 * concurrency) await Promise.race(pending);
  }
  await Promise.all(pending);
  signal?.throwIfAborted();
  if (failure !== undefined) throw failure.reason;
}

async function rejudge(
  record: SampleRecord,
  judge: Judge,
  { folder, failureReward, signal }: Pick<RejudgeOptions, 'folder' | 'failureReward' | 'signal'>,
): Promise<SampleRecord> {
  const verdict = record.outcome === 'ok' ? await verdictFrom(record, judge, folder, signal) : unjudged;
  const { keptJudgement: _, ...unchanged } = record;
  return {
    ...unchanged,
    ...verdict,
    score: scoreOf(record.outcome, verdict.reward, failureReward),
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
    return { ...unjudged, judgeError: judgeError(error) };
  }
}
