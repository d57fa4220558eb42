import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { JsonLinesFile } from '@art/ground';
import { join } from 'node:path';
import { runPath, type RunRecord, writeRunRecord } from '@art/eval/records';
import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { Baselines } from '../eval/baselines.ts';
import { runCompare } from './compare.ts';

/** A finished run of a score a task. */
async function writtenRun(
  cwd: string,
  name: string,
  scores: readonly (number | null)[],
  count = scores.length,
) {
  const folder = join(cwd, name);
  await mkdir(folder, { recursive: true });
  await writeRunRecord(folder, {
    schema: 'art.run.v1',
    tasks: { source: 'tasks.jsonl', count, digest: 'the same' },
    samples: 1,
    maxFailures: 0.1,
  } as RunRecord);
  await using file = await JsonLinesFile.open(runPath(folder, 'samples'));
  for (const [at, score] of scores.entries())
    await file.append({
      schema: 'art.rollout.v1',
      id: `t${at}#0`,
      taskId: `t${at}`,
      sample: 0,
      tags: [],
      outcome: score === null ? 'lost' : 'ok',
      reward: score,
      score,
      metrics: { length: 10 + at },
      attempts: [],
    });
}

async function compared(
  before: readonly (number | null)[],
  after: readonly (number | null)[],
  count?: number,
) {
  const context = capturedContext({ cwd: await temporaryFolder() });
  await writtenRun(context.cwd, 'before', before);
  await writtenRun(context.cwd, 'after', after, count);
  const options = {
    first: 'before',
    second: 'after',
    baseline: undefined,
    maxDrop: undefined,
    markdown: undefined,
    failOnRegression: true,
    json: false,
  };
  const code = await runCompare(options, context);
  return { code, output: context.output() };
}

const allOf = (score: number, count: number): number[] => Array.from({ length: count }, () => score);

it('ends with 1 for a regression that so many tasks can show, and with 0 for one that they cannot', async () => {
  const worse = await compared(allOf(1, 8), [...allOf(0, 7), 1]);
  expect(worse.output).toMatch(/p +0\.0156 \(exact McNemar test\)/);
  expect(worse.output).toMatch(/power +8 tasks show a difference of 0\.\d{3} with a chance of 80 %/);
  expect(worse.output).toMatch(/length +0\.000 +1\.0000 +8\n/);
  expect(worse.output).toContain('worse: the whole interval lies below 0');
  expect(worse.code).toBe(1);
  expect((await compared([1, 1], [0, 0])).code).toBe(0);
  expect((await compared([0.9, 0.8, 0.7], [0.5, 0.1, 0.6])).code).toBe(0);
});

it.each<[string, Parameters<typeof compared>, RegExp]>([
  ['is not finished', [allOf(1, 8), allOf(0, 8), 9], /The candidate is not finished: 8 of 9 samples/],
  ['has too many excluded samples', [[null, ...allOf(1, 7)], allOf(0, 8)], /Of the baseline, 1 of 8 samples/],
  ['has no task in common', [[1], [null]], /No task has judged samples in both runs/],
])('ends with 3 where a run %s, and says so', async (_, given, words) => {
  const { code, output } = await compared(...given);
  expect(output).toMatch(words);
  expect(output).not.toContain('The candidate is worse');
  expect(code).toBe(3);
});

it.each([
  [0.2, 0, 'shown to fall by no more than 0.2'],
  [0.02, 1, 'not shown to fall by no more than 0.02: it may fall by 0.'],
])(
  'with --max-drop %d ends with %d beside a kept run, and writes both as Markdown',
  async (maxDrop, code, words) => {
    const context = capturedContext({ cwd: await temporaryFolder() });
    const { cwd } = context;
    const scores = Array.from({ length: 60 }, (_, at) => Number(at % 4 > 0));
    await writtenRun(cwd, 'before', scores);
    await writtenRun(cwd, 'after', scores.with(0, 1).with(1, 0).with(2, 0));
    for (const folder of ['before', 'after'])
      for (const file of ['transcripts', 'results'] as const)
        await writeFile(runPath(join(cwd, folder), file), '');
    const baselines = await Baselines.open({}, context);
    await baselines.save(join(cwd, 'after'), 'main');
    // The newer one takes the place of the older one.
    await baselines.save(join(cwd, 'before'), 'main');
    expect(await readdir(join(cwd, '.art/baselines'))).toEqual(['main']);
    const options = { first: 'after', second: undefined, baseline: 'main', maxDrop, markdown: 'comment.md' };
    expect(await runCompare({ ...options, failOnRegression: true, json: false }, context)).toBe(code);
    expect(context.output()).toContain(words);
    const comment = await readFile(join(cwd, 'comment.md'), 'utf8');
    expect(comment).toContain(code === 0 ? '## ✅' : '## ❌');
    expect(comment).toContain('| .art/baselines/main | after | -0.017 |');
    expect(comment).toContain(
      '| worse | baseline | candidate |\n| --- | --- | --- |\n| t1 | 1.000 | 0.000 |',
    );
  },
);

it('takes a path where there is one, and a name only of a kept run', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'main'));
  const baselines = await Baselines.open({}, { cwd });
  expect(await baselines.folderOf('main')).toBe(join(cwd, 'main'));
  expect(await baselines.folderOf('other')).toBe(join(cwd, 'other'));
});
