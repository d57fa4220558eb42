import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPath, writeStatus } from '@art/eval/records';
import { expect, it } from 'vitest';
import { runRecord, startMs, statusRecord, writeEvaluation } from '../testing/evaluation.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { EvaluationFolder } from './evaluation-folder.ts';
import { findRuns } from './find-runs.ts';

it('reads on where it was, and a later line of a sample takes the place of the earlier one', async () => {
  const folder = await temporaryFolder();
  const [first, second] = await writeEvaluation(folder, { tasks: 1, samples: 2, hasTranscripts: false });
  const run = await EvaluationFolder.open(folder, Date.now);
  await run.refresh();
  expect([run.size, run.info().read]).toEqual([2, 2]);
  const torn = JSON.stringify({ ...first!, sample: 9, id: 'x#9' });
  await appendFile(
    runPath(folder, 'samples'),
    `${JSON.stringify({ ...first!, reward: 0.125 })}\nnot json\n${torn}`,
  );
  await run.refresh();
  expect(run.rows(2, 10)).toMatchObject([{ at: 0, reward: 0.125 }]);
  expect([run.size, run.info().read]).toEqual([2, 3]);
  expect((await run.detail(0))?.record.reward).toBe(0.125);
  expect((await run.detail(1))?.record.id).toBe(second!.id);
  await appendFile(runPath(folder, 'samples'), '\n');
  await run.refresh();
  expect(run.size).toBe(3);
  expect((await run.detail(2))?.record.sample).toBe(9);
  expect(await run.detail(3)).toBeUndefined();
  const all: [number, number | null][] = [];
  for await (const { record } of run.details()) all.push([record.sample, record.reward]);
  expect(all).toEqual([
    [first!.sample, 0.125],
    [second!.sample, second!.reward],
    [9, first!.reward],
  ]);
});

it('is live while somebody writes its status, and not when that has ended', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 1, samples: 1 });
  let nowMs = startMs;
  const run = await EvaluationFolder.open(folder, () => nowMs);
  const isLive = async (state: 'running' | 'interrupted'): Promise<boolean> => {
    await writeStatus(folder, statusRecord([], { state, updatedAtMs: startMs }));
    await run.refresh();
    return run.info().isLive;
  };
  expect(run.info().isLive).toBe(true);
  expect(await isLive('running')).toBe(true);
  expect(await isLive('interrupted')).toBe(false);
  nowMs = startMs + 11_000;
  expect(await isLive('running')).toBe(false);
});

it('is not finished before the samples that its status counts have been read', async () => {
  const folder = await temporaryFolder();
  const records = await writeEvaluation(folder, { tasks: 10, samples: 2, hasTranscripts: false });
  const lines = (await readFile(runPath(folder, 'samples'), 'utf8')).split('\n');
  await writeFile(runPath(folder, 'samples'), `${lines.slice(0, 5).join('\n')}\n`);
  await writeStatus(folder, statusRecord(records.slice(0, 5), { state: 'running', updatedAtMs: startMs }));
  const run = await EvaluationFolder.open(folder, () => startMs);
  await run.refresh();
  await appendFile(runPath(folder, 'samples'), lines.slice(5).join('\n'));
  await writeStatus(folder, statusRecord(records, { state: 'finished' }));
  const told: { isLive: boolean; read: number }[] = [];
  let isOver = false;
  const refreshing = run.refresh().then(() => (isOver = true));
  while (!isOver) {
    const { isLive, read } = run.info();
    told.push({ isLive, read });
    await new Promise(setImmediate);
  }
  await refreshing;
  expect(told.filter(({ isLive, read }) => !isLive && read < 20)).toEqual([]);
  expect(run.info()).toMatchObject({ isLive: false, read: 20 });
});

it('says why a transcript cannot be shown', async () => {
  const folder = await temporaryFolder();
  const [sample] = await writeEvaluation(folder, { tasks: 1, samples: 1 });
  const line = { ...sample!, transcript: { atByte: 0, bytes: 1e12 } };
  await writeFile(runPath(folder, 'samples'), `${JSON.stringify(line)}\n`);
  const run = await EvaluationFolder.open(folder, Date.now);
  await run.refresh();
  expect(await run.detail(0)).toMatchObject({
    transcript: null,
    transcriptProblem: expect.stringMatching(/at byte 0 of .*transcripts\.jsonl: the file has \d+ bytes/),
  });
});

it('takes a folder of runs for those in it, and says what it expected elsewhere', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'runs/a'), { recursive: true });
  await mkdir(join(folder, 'runs/b'));
  await mkdir(join(folder, 'runs/c'));
  await writeFile(join(folder, 'runs/a/learn.jsonl'), '');
  await writeFile(join(folder, 'runs/b/run.json'), JSON.stringify(runRecord()));
  const runs = await findRuns([join(folder, 'runs')]);
  expect(runs.map(({ kind }) => kind).toSorted()).toEqual(['evaluation', 'training']);
  for (const wrong of ['runs/c', 'missing', 'runs/b/run.json'])
    await expect(findRuns([join(folder, wrong)])).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  await writeFile(join(folder, 'runs/b/run.json'), '{}');
  await expect(findRuns([join(folder, 'runs/b')])).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
