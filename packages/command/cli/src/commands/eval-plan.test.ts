import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunPlan } from '@art/eval';
import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { runCli } from '../run-cli.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { evaluationFolder } from './evaluation-folder.fixture.ts';
import { runPlan } from './eval.ts';

type PlanOptions = Parameters<typeof runPlan>[0];

it('art eval --plan says how many tasks there have to be, what they cost and what that rests on', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'tasks.jsonl'), '{"id":"a"}\n{"id":"b"}\n');
  const samples = [0, 1, 0, 1, 1].map((score, at) => ({
    taskId: `t${at}`,
    score,
    cost: 0.02,
    tokens: { prompt: 90, completion: 10 },
  }));
  const folder = await evaluationFolder(samples);
  const options = { plan: 'width < 0.1', planFrom: [folder], tasks: 'tasks.jsonl' } as PlanOptions;
  const context = capturedContext({ cwd });
  expect(await runPlan(options, context)).toBe(0);
  expect(context.output()).toContain(`It rests on ${folder}: tasks deviate by 0.548`);
  expect(context.output()).toContain('There are 2 tasks: too few.');
  const told = capturedContext({ cwd });
  await runPlan({ ...options, json: true }, told);
  const { rows } = JSON.parse(told.output()) as RunPlan;
  const [tasks = 0] = rows[0]!.tasks;
  expect(rows).toEqual([
    { samples: 1, tasks: [tasks], cost: expect.closeTo(0.02 * tasks) as number, tokens: 100 * tasks },
  ]);
  // 4 x 1.96 ^ 2 x 0.3 / 0.1 ^ 2
  expect(tasks).toBeGreaterThan(460);
  expect(tasks).toBeLessThan(466);
});

it('a plan needs neither an agent nor tasks', async () => {
  const context = capturedContext();
  expect(await runCli(['eval', '--plan', 'difference > 0.1'], context)).toBe(0);
  expect(context.output()).toMatch(/shows with a chance of 80 %:\n\nsamples a task +tasks .*\n +1 +\d{3} /);
});
