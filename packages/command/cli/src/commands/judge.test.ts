import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { annotate } from '@art/eval/records';
import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { evaluationFolder } from './evaluation-folder.fixture.ts';
import { type JudgeCommandOptions, runJudge } from './judge.ts';

async function judged(
  labels: readonly object[] | undefined,
  options: Partial<JudgeCommandOptions> = {},
  files: Readonly<Record<string, string>> = {},
) {
  const context = capturedContext({ cwd: await temporaryFolder() });
  for (const [name, text] of Object.entries(files)) await writeFile(join(context.cwd, name), text);
  if (labels !== undefined)
    await writeFile(
      join(context.cwd, 'labels.jsonl'),
      labels.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
  const code = await runJudge(
    {
      run: undefined,
      labels: labels && 'labels.jsonl',
      confident: false,
      json: false,
      ...options,
    },
    context,
  );
  return { code, output: context.output() };
}

/** 20 samples; the judge takes every eighth failed one for passed. */
const rows = Array.from({ length: 40 }, (_, at) => ({
  id: `s${at}`,
  label: at % 2,
  judge: at % 8 === 0 ? 1 : at % 2,
}));

it('shows agreement, kappa, who disagrees and how many labels are missing', async () => {
  const { code, output } = await judged([...rows, { id: 'none', label: null, judge: 1 }]);
  expect(code).toBe(0);
  expect(output).toMatch(/^40 labelled samples of 40 tasks\./);
  expect(output).toMatch(/agreement +0\.875 \[0\.7\d\d, 0\.9\d\d\]/);
  expect(output).toMatch(/kappa +0\.750 \[0\.\d{3}, 0\.\d{3}\]/);
  expect(output).toMatch(/label +judge 0 +judge 1\n0 +15 +5\n1 +0 +20\n/);
  expect(output).toMatch(/s8 +0 +1\n/);
  expect(output).toMatch(/About \d+ labels more make the interval 0\.2 wide\./);
  expect(output).toContain('rows without a label: 1');
});

it.each([
  [{ minKappa: 0.75 }, 0],
  [{ minKappa: 0.76 }, 1],
  [{ minKappa: 0.75, confident: true }, 1],
  [{ minKappa: 0.4, confident: true }, 0],
])('with %j ends with %i', async (options, wanted) => {
  expect((await judged(rows, options)).code).toBe(wanted);
});

it('ends with 3 where kappa says nothing', async () => {
  const same = await judged(rows.map((row) => ({ ...row, label: 1, judge: 1 })));
  expect(same.code).toBe(3);
  expect(same.output).toMatch(/kappa +not defined\n/);
  expect(same.output).toContain('All 40 labels are 1');
  const run = await evaluationFolder([{ taskId: 'a', reward: 1 }]);
  const unknown = await judged([{ id: 'b', label: 1 }], { run });
  expect(unknown.output).toContain(
    'No labelled sample has a reward.\n\nLeft out:\n  no such sample was judged: 1 (b)',
  );
  expect(unknown.code).toBe(3);
});

it('takes the scores that persons gave on the page of a run, and says where there are none', async () => {
  const run = await evaluationFolder(['a', 'b'].map((taskId) => ({ taskId })));
  const human = judged(undefined, { run, labels: 'human' });
  await expect(human).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining('art view') as string,
  });
  await annotate(run, { id: 'a#0', label: 0, remark: '', replaces: 0 });
  await annotate(run, { id: 'a#0', label: 1, remark: '', replaces: 1 });
  await annotate(run, { id: 'b#0', label: 0, remark: 'It is the other one.', replaces: 0 });
  const { output } = await judged(undefined, { run, labels: 'human' });
  expect(output).toMatch(/^2 labelled samples of 2 tasks\.[^]*agreement +0\.500[^]*b#0 +0 +1/);
  expect((await judged(undefined, { labels: join(run, 'human.jsonl') })).output).toBe(output);
  await expect(judged(undefined, { labels: 'human' })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});

it('shows the drift of a judge that judges twice', async () => {
  const reward = 'let calls = 0;\nexport default () => Number((calls += 1) > 2);\n';
  const texts = ['a', 'b'].map((id) => ({ id, prompt: id, response: id, label: id === 'a' }));
  const options = { reward: 'reward.mjs', drift: true as const, concurrency: 1 };
  const { output } = await judged(texts, options, { 'reward.mjs': reward });
  expect(output).toMatch(/Judged twice: 2 samples, 2 with another reward\. The mean changed by 1\.000/);
  expect(output).toMatch(/changed +first +second\na +0 +1\n/);
});
