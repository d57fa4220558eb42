import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { evaluationFolder } from './evaluation-folder.fixture.ts';
import { runReport } from './report.ts';

const spent = { promptTokens: 1_000, sampledTokens: 2_000, trainedTokens: 3_000, money: undefined };

function stepLine(step: number, more: object = {}): object {
  return {
    step,
    reward: step / 100,
    rewardOfTen: step / 100,
    rollouts: 8,
    withoutRows: 1,
    spent,
    rolloutMs: 30_000,
    trainMs: 6_000,
    evaluations: [],
    ...more,
  };
}

async function trainingRun(lines: readonly (object | string)[]): Promise<string> {
  const cwd = await temporaryFolder();
  const folder = join(cwd, 'run');
  await mkdir(folder);
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  await writeFile(join(folder, 'metrics.jsonl'), text);
  return cwd;
}

async function reported(cwd: string): Promise<string> {
  const context = capturedContext({ cwd });
  expect(await runReport({ run: 'run', out: undefined }, context)).toBe(0);
  return context.output();
}

describe('art report', () => {
  it('says what a run has brought, what it cost, and what nobody measured', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => stepLine(at + 1));
    const report = await reported(await trainingRun([...lines, '{"step":21,"sp']));
    expect(report).toContain('# Training run run\n');
    for (const [name, value] of [
      ['steps', '20. The run has not ended.'],
      ['reward of the first ten steps', '0.100'],
      ['reward of the last ten steps', '0.200'],
      ['rollouts', '160 have a reward, 20 gave nothing to train on'],
      ['tokens', '1,000 of prompts, 2,000 sampled, 3,000 trained'],
      ['spent', 'unknown: the run had no prices'],
      ['time', '10.0 min waiting for rollouts, 2.0 min in steps'],
      ['weights', 'none saved'],
    ])
      expect(report).toContain(`| ${name} | ${value} |\n`);
    expect(report).toContain('x-axis "step" 1 --> 20\n');
    expect(report).toMatch(/line \[0\.010, 0\.020, .*, 0\.200\]\n/);
    expect(report).toMatch(/No version was measured\.\n$/);
  });

  it('compares the best weights with the base model, task by task', async () => {
    const evaluations = [
      { step: 0, score: 0.25, tasks: 8, folder: 'base', isBest: true },
      { step: 2, score: 1, tasks: 8, folder: 'tuned', isBest: true },
    ];
    const end = { reason: 'steps', message: 'All 2 steps are made.' };
    const cwd = await trainingRun([stepLine(1), stepLine(2, { evaluations, end })]);
    const evaluated = (scores: readonly number[]): Promise<string> =>
      evaluationFolder(scores.map((score, at) => ({ taskId: `t${at}`, score, reward: score })));
    const base = await evaluated([0, 0, 0, 0, 0, 0, 1, 1]);
    const tuned = await evaluated([1, 1, 1, 1, 1, 1, 1, 1]);
    const measured = { event: 'evaluation', weights: 'w', state: 's', isBest: true };
    await writeFile(
      join(cwd, 'run', 'checkpoints.jsonl'),
      [
        { ...measured, step: 0, score: 0.25, folder: base },
        { ...measured, step: 2, score: 1, folder: tuned },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const context = capturedContext({ cwd });
    expect(await runReport({ run: 'run', out: 'results.md' }, context)).toBe(0);
    expect(context.output()).toBe('');
    const report = await readFile(join(cwd, 'results.md'), 'utf8');
    expect(report).toContain('| steps | 2. All 2 steps are made. |\n');
    expect(report).toContain('| weights | version 2: w |\n');
    expect(report).toContain('| 2 | 1.000 | 8 | best so far |\n');
    expect(report).toMatch(
      /\| the base model \| version 2 \| &#43;0\.750 \| &#43;0\.\d{3} to &#43;\d\.\d{3} \|/,
    );
  });

  it('finds the evaluations of a run that was moved, and says which are gone', async () => {
    const cwd = await trainingRun([stepLine(1), stepLine(2)]);
    const measured = { event: 'evaluation', weights: 'w', state: 's', isBest: true };
    const lines = [
      { ...measured, step: 0, score: 0, folder: '/before/run/evaluations/base' },
      { ...measured, step: 2, score: 1, folder: '/before/run/evaluations/tuned' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(join(cwd, 'run', 'checkpoints.jsonl'), text);
    expect(await reported(cwd)).toMatch(
      /Not compared: .*base, got no folder\.\n\nNot compared: .*tuned, got/,
    );
    for (const [name, reward] of [
      ['base', 0],
      ['tuned', 1],
    ] as const)
      await cp(
        await evaluationFolder([{ taskId: 't', score: reward, reward }]),
        join(cwd, 'run', 'evaluations', name),
        { recursive: true },
      );
    expect(await reported(cwd)).toMatch(/\| the base model \| version 2 \| &#43;1\.000 /);
  });

  it('takes a step that was made again as it was the last time, and of a long run a part of the points', async () => {
    const lines = Array.from({ length: 500 }, (_, at) => stepLine(at + 1, { rewardOfTen: 0.5 }));
    const report = await reported(await trainingRun([...lines, stepLine(500, { rewardOfTen: 0.75 })]));
    expect(report).toContain('| reward of the last ten steps | 0.750 |\n');
    const [, points] = /line \[(.*)\]/.exec(report)!;
    expect(points!.split(', ')).toHaveLength(60);
    expect(points).toMatch(/0\.750$/);
  });

  it('refuses a folder without a step', async () => {
    const context = capturedContext({ cwd: await trainingRun([]) });
    await expect(runReport({ run: 'run', out: undefined }, context)).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  });
});
