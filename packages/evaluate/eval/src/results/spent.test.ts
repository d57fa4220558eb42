import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CaptureRecord, type SampleRecord, toCaptureRecord } from '@art/trajectories';
import { sampleCapture } from '@art/trajectories/testing';
import { expect, it } from 'vitest';
import { planRun } from '../plan/plan-run.ts';
import { runPath } from '../records/run-folder.ts';
import { sampleRecord } from '../records/sample.fixture.ts';
import { evaluate } from '../run/evaluate.ts';
import { okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readScores } from './task-scores.ts';

const prices = { '*': { input: 1e6, output: 1e6 } };
const counted = sampleCapture({ captureId: 'c', sessionId: 's' });
const uncounted = {
  ...counted,
  promptTokenIds: new Int32Array(),
  completionTokenIds: new Int32Array(),
  usage: { prompt: undefined, completion: undefined },
};

/** A run of tasks whose sessions have these captures; null for one whose captures cannot be read. */
async function runOf(sessions: readonly (readonly (typeof counted)[] | null)[]) {
  const read: CaptureRecord[][] = [];
  const capture = {
    captures: (sessionId: string): Promise<CaptureRecord[]> => {
      const captures = sessions[Number(/\d+/.exec(sessionId)![0].slice(0, 1))];
      if (captures == null) return Promise.reject(new Error('no answer'));
      const records = captures.map((one) => JSON.parse(toCaptureRecord(one)) as CaptureRecord);
      read.push(records);
      return Promise.resolve(records);
    },
    callCounts: () => Promise.resolve({ failed: undefined, kept: undefined }),
    drop: () => Promise.resolve(),
  };
  const { agent } = scriptedAgent(() => okOutcome({ reward: 1 }));
  const folder = join(await temporaryFolder(), 'run');
  return evaluate({
    agent: { ...agent, capture },
    tasks: sessions.map((_, at) => ({ id: `t${at}`, payload: { at } })),
    folder,
    prices,
    concurrency: 1,
    onNotice: () => undefined,
  });
}

it('what was spent is the sum over all samples', async () => {
  const { results } = await runOf([[counted, counted], [], [counted]]);
  expect(results).toMatchObject({ modelCalls: 3, tokens: { prompt: 6, completion: 6 } });
  expect(results.cost).toMatchObject({ total: 12, perSample: { median: 4, max: 8 } });
});

it('the choices of a request have one prompt', async () => {
  const choices = [0, 1, 2].map((choiceIndex) => ({ ...counted, choiceIndex, choiceCount: 3 }));
  const { results } = await runOf([choices]);
  expect(results).toMatchObject({ tokens: { prompt: 2, completion: 6 }, cost: { total: 8 } });
});

it('a call that nobody counted leaves tokens and cost unknown', async () => {
  const { results, folder } = await runOf([[counted], [counted, uncounted]]);
  expect(results).toMatchObject({ modelCalls: 3, tokens: null, cost: null });
  expect((await planRun({ plan: '0.1', from: [folder], samples: 1 })).rows[0]).toMatchObject({
    cost: expect.any(Number) as number,
  });
});

it('calls that cannot be read are not none', async () => {
  const { results } = await runOf([[counted], null]);
  expect(results).toMatchObject({ modelCalls: null, tokens: null, cost: null, mean: { value: 1 } });
});

it('a plan counts a sample once, by its last line', async () => {
  const { folder } = await runOf([[counted], [counted]]);
  const { rows: before } = await planRun({ plan: '0.1', from: [folder] });
  const given = { taskId: 't0', cost: 4, tokens: { prompt: 2, completion: 2 } };
  const lines: Partial<SampleRecord>[] = [{ ...given, cost: 0, tokens: { prompt: 0, completion: 0 } }, given];
  for (const line of lines)
    await appendFile(runPath(folder, 'samples'), `${JSON.stringify(sampleRecord(line))}\n`);
  const { rows } = await planRun({ plan: '0.1', from: [folder] });
  expect(rows).toEqual(before);
});

it('time in which nothing was under way does not count, nor does a later judgement', async () => {
  const folder = await temporaryFolder();
  const lines = [
    { taskId: 'a', submittedAtMs: 1_000, recordedAtMs: 3_000 },
    { taskId: 'b', submittedAtMs: 2_000, recordedAtMs: 4_000 },
    { taskId: 'c', submittedAtMs: 900_000, recordedAtMs: 901_000 },
  ];
  for (const line of lines)
    await appendFile(runPath(folder, 'samples'), `${JSON.stringify(sampleRecord(line))}\n`);
  expect((await readScores(folder)).wallMs).toBe(4_000);
});
