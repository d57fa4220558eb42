import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IterationRecord } from '@art/improve';
import { eventually } from '@art/tooling/eventually';
import { expect, it, onTestFinished } from 'vitest';
import { runArt, samplesOf, startArt } from './art-eval.fixture.ts';

const file = (name: string): string => join(import.meta.dirname, name);

it('art improve, killed in the middle of it, goes on to better prompts, within its budget', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-improve-killed-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  await writeTasks(cwd, 'train', 8);
  await writeTasks(cwd, 'heldout', 4);
  const evaluations = join(cwd, 'search', 'evaluations');
  const options = {
    tasks: 'train.jsonl',
    'held-out': 'heldout.jsonl',
    reward: file('improve-reward.fixture.ts'),
    'mock-model': file('improve-model.fixture.ts'),
    'reflect-model': 'reflecting',
    sessions: 'server',
    minibatch: '2',
    budget: '60',
    out: 'search',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = startArt(cwd, 'improve', file('improved-agent.fixture.ts'), ...flags);
  // An iteration is written down, and of the next one some rollouts are.
  await eventually(async () => {
    expect((await iterationsOf(cwd)).length).toBeGreaterThan(1);
    expect((await samplesOf(join(evaluations, '002-parent'))).length).toBeGreaterThan(0);
  });
  child.kill('SIGKILL');
  await once(child, 'close');
  const before = await iterationsOf(cwd);

  const { code, output, errors } = await runArt(cwd, 'improve', '--resume', 'search', '--json');
  expect({ code, errors }).toMatchObject({ code: 0 });
  const told = JSON.parse(output) as {
    rollouts: number;
    prompts: { system: string };
    heldOut: { comparison: { difference: object; better: object[] } };
  };
  expect(told.prompts.system.split('\n').toSorted()).toEqual([
    'Answers of kind prayer end with AMEN',
    'Answers of kind radio end with OVER',
    'Repeat the word.',
  ]);
  expect(told.heldOut.comparison).toMatchObject({ difference: { value: 1, tasks: 4 }, doubts: [] });
  expect((await iterationsOf(cwd)).slice(0, before.length)).toEqual(before);
  const folders = await readdir(evaluations);
  const samples = await Promise.all(folders.map((name) => samplesOf(join(evaluations, name))));
  expect(samples.flat().length).toBe(told.rollouts);
  expect(told.rollouts).toBeLessThanOrEqual(60);
  expect(JSON.parse(await readFile(join(cwd, 'search', 'prompts.json'), 'utf8'))).toEqual(told.prompts);
});

async function writeTasks(cwd: string, name: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ payload: { kind: at % 2 === 0 ? 'radio' : 'prayer', word: `${name} ${at}` } }),
  );
  await writeFile(join(cwd, `${name}.jsonl`), `${lines.join('\n')}\n`);
}

async function iterationsOf(cwd: string): Promise<IterationRecord[]> {
  const text = await readFile(join(cwd, 'search', 'iterations.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as IterationRecord);
}
