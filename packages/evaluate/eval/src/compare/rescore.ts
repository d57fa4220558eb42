import { constants } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { newRunId } from '@art/journal';
import { ArtError, makeDirectory, JsonLinesFile, unlessMissing } from '@art/ground';
import { writeResults } from '../records/results-record.ts';
import { runPath } from '../records/run-folder.ts';
import { readRunRecord, type RunRecord, writeRunRecord } from '../records/run-record.ts';
import type { SampleRecord } from '@art/trajectories';
import { readSamples } from '../records/read-samples.ts';
import { summarize } from '../results/summarize.ts';
import { readScores } from '../results/task-scores.ts';
import { EvalRun } from '../run/eval-run.ts';
import type { Judge } from '../run/judge.ts';
import { nameOfJudge } from '../run/run-inputs.ts';
import { rejudgeAll } from '../run/rejudge.ts';
import { thisProcess } from '../run/this-process.ts';

/** Options of `rescore`. */
export interface RescoreOptions {
  /** Folder of the run that is judged again; it stays as it is. */
  folder: string;
  /** Judges each sample by what was written down of it. */
  reward: Judge;
  /** New folder for the result. @default `{folder}-rescored-{time}` */
  out?: string | undefined;
  /** Most samples that are judged at once. @default 16 */
  judgeConcurrency?: number | undefined;
  /** Ends it; the new folder stays behind, unfinished. */
  signal?: AbortSignal | undefined;
  /** Called with every sample that was judged. Must not throw. */
  onSample?: ((record: SampleRecord) => void) | undefined;
}

/**
 * Judges a run again by what was written down of it, into its own run that can be compared with the first. No agent is run.
 * @throws ArtError `ART_INVALID_OPTION` where there is no run, or the new folder is not empty; the signal's reason
 */
export async function rescore(options: RescoreOptions): Promise<EvalRun> {
  const { folder, reward, signal, onSample, judgeConcurrency = 16 } = options;
  const source = await readRunRecord(folder);
  const out = options.out ?? `${folder.replace(/[/\\]+$/, '')}-rescored-${newRunId()}`;
  const record = rescored(source, folder, nameOfJudge(reward));
  await makeNew(out);
  await writeRunRecord(out, record);
  // A copy, and not the same file: either run may continue.
  const [from, to] = [folder, out].map((run) => runPath(run, 'transcripts')) as [string, string];
  await unlessMissing(copyFile(from, to, constants.COPYFILE_FICLONE));
  const latest = new Map<string, number>();
  for await (const { record: sample, endByte } of readSamples(folder)) latest.set(sample.id, endByte);
  {
    await using file = await JsonLinesFile.open(runPath(out, 'samples'));
    await rejudgeAll(latestOf(folder, latest), reward, {
      folder,
      failureReward: source.failureReward,
      concurrency: judgeConcurrency,
      signal,
      onJudged: async (judged) => {
        await file.append(judged);
        onSample?.(judged);
      },
    });
  }
  const scores = await readScores(out);
  const results = summarize(record, scores, record.maxFailures);
  await writeResults(out, results);
  return new EvalRun(out, record, results, scores);
}

async function* latestOf(
  folder: string,
  latest: ReadonlyMap<string, number>,
): AsyncGenerator<SampleRecord, void, undefined> {
  for await (const { record, endByte } of readSamples(folder))
    if (latest.get(record.id) === endByte) yield record;
}

function rescored(source: RunRecord, folder: string, judge: string | null): RunRecord {
  return {
    ...source,
    runId: newRunId(),
    createdAtMs: Date.now(),
    judge,
    rescoredFrom: resolve(folder),
    rescoredIds: [source.runId, ...(source.rescoredIds ?? [])],
    processes: [thisProcess()],
  };
}

async function makeNew(out: string): Promise<void> {
  await makeDirectory(out, 0o700);
  if ((await readdir(out)).length > 0) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected a new folder for the result, got ${out}, which is not empty.`,
    });
  }
}
