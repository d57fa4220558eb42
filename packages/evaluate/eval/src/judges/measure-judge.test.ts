import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rescore } from '../compare/rescore.ts';
import { evaluate } from '../run/evaluate.ts';
import type { Judge } from '../run/judge.ts';
import { okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { measureJudge, type MeasureJudgeOptions } from './measure-judge.ts';

async function labelFile(rows: readonly object[], name = 'labels.jsonl'): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

const measured = async (rows: readonly object[], options: MeasureJudgeOptions = {}) =>
  measureJudge({ labels: await labelFile(rows), ...options });

/** A run of `tasks` whose agent says the task's number. */
async function runOf(
  tasks: number,
  samples = 1,
  reward: Judge = ({ document }) => Number(document['n']) % 2,
) {
  const folder = join(await temporaryFolder(), 'run');
  const { agent } = scriptedAgent(({ n }) => okOutcome({ n }));
  await evaluate({
    agent,
    tasks: Array.from({ length: tasks }, (_, n) => ({ id: `t${n}`, payload: { n } })),
    samples,
    folder,
    reward,
    onNotice: () => undefined,
  });
  return folder;
}

describe('labels beside rewards', () => {
  it('are measured with the classes that they have', async () => {
    // cohen_kappa_score([2, 0, 1, 2, 2, 0, 1, 1], [2, 0, 2, 2, 1, 0, 1, 0]) of scikit-learn 1.9.1, and its weights.
    const pairs = [
      [2, 2],
      [0, 0],
      [1, 2],
      [2, 2],
      [2, 1],
      [0, 0],
      [1, 1],
      [1, 0],
    ];
    const rows = pairs.map(([label, judge], at) => ({ id: `s${at}`, label, judge }));
    const plain = await measured(rows);
    expect(plain).toMatchObject({
      samples: 8,
      passReward: null,
      categories: [0, 1, 2],
      confusion: [
        [2, 0, 0],
        [1, 1, 1],
        [0, 1, 2],
      ],
      agreement: { value: 0.625 },
      disagreements: [
        { id: 's2', label: 1, reward: 2 },
        { id: 's4', label: 2, reward: 1 },
        { id: 's7', label: 1, reward: 0 },
      ],
      problem: null,
    });
    expect(plain.kappa.value).toBeCloseTo(0.4418604651162791, 12);
    expect((await measured(rows, { weights: 'linear' })).kappa.value).toBeCloseTo(0.5862068965517242, 12);
    expect((await measured(rows, { weights: 'quadratic' })).kappa.value).toBeCloseTo(0.7272727272727273, 12);
  });

  it('are one class where only rounding tells them apart', async () => {
    const rows = [
      { id: 'a', label: 0.3, judge: 0.1 + 0.2 },
      { id: 'b', label: 0.7, judge: 0.7 },
      { id: 'c', label: 0.7, judge: 0.3 },
    ];
    expect(await measured(rows)).toMatchObject({
      categories: [0.3, 0.7],
      confusion: [
        [1, 0],
        [1, 1],
      ],
      disagreements: [{ id: 'c' }],
    });
  });

  it('that say passed or failed make two classes of rewards, by the least that passes', async () => {
    const rows = [
      { id: 'a', label: 'pass', reward: 4 },
      { id: 'b', label: true, reward: 5 },
      { id: 'c', label: 'Fail', reward: 3.5 },
      { id: 'd', label: false, reward: 4 },
    ];
    const { confusion, passReward } = await measured(rows, { passReward: 4 });
    expect({ confusion, passReward }).toEqual({
      confusion: [
        [1, 1],
        [0, 2],
      ],
      passReward: 4,
    });
    const shares = [
      { label: 1, reward: 0.9999999999999999 },
      { label: 0, reward: 0.7 },
    ];
    expect(await measured(shares)).toMatchObject({
      confusion: [
        [1, 0],
        [0, 1],
      ],
      passReward: 1,
    });
  });

  it('may be names, or texts of a table', async () => {
    const path = join(await temporaryFolder(), 'labels.csv');
    await writeFile(path, 'human,verdict\nspam,spam\nham,spam\nham,ham\nspam,spam\n,ham\nham,nan\n');
    const measure = await measureJudge({ labels: path, data: { columns: { judge: 'verdict' } } });
    expect(measure).toMatchObject({
      categories: ['ham', 'spam'],
      confusion: [
        [1, 1],
        [0, 2],
      ],
      kappa: { value: 0.5 },
      leftOut: { unlabelled: 1, unjudged: ['6'] },
    });
  });

  it('of one class say nothing, and no figure is NaN', async () => {
    const measure = await measured([1, 1, 1].map((label) => ({ label, judge: 1 })));
    expect(measure.kappa).toEqual({ value: null, low: null, high: null, weights: 'none' });
    expect(measure.problem).toBe('All 3 labels are 1: kappa needs samples of two classes at least.');
    expect(JSON.stringify(measure)).not.toContain('NaN');
    // scikit-learn has 0 where only the judge disagrees.
    expect(
      (
        await measured([
          { label: 1, judge: 0 },
          { label: 1, judge: 1 },
        ])
      ).kappa.value,
    ).toBe(0);
  });

  it('say how many more there must be', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({ label: at % 2, judge: at % 8 === 0 ? 1 : at % 2 }));
    const { kappa, missing } = await measured(rows, { width: 0.2 });
    const more = Array.from({ length: 40 + missing!.labels }, (_, at) => rows[at % 40]!);
    const again = await measured(more, { width: 0.2 });
    expect(kappa.high! - kappa.low!).toBeGreaterThan(0.4);
    expect(Math.abs(again.kappa.high! - again.kappa.low! - 0.2)).toBeLessThan(0.03);
  });
});

describe('labels of a run', () => {
  it('are held against its rewards; what does not fit is left out and named', async () => {
    const run = await runOf(8, 2);
    const rows = [
      { id: 't0#0', label: 0 },
      { taskId: 't1', sample: 1, label: 1 },
      { id: 't2#0', label: 1 },
      { id: 't2#0', label: 1 },
      { id: 't3#0', label: 1 },
      { id: 't3#0', label: 0 },
      { id: 't4#0', label: null },
      { id: 't99#0', label: 1 },
      // Two samples: which one is meant is not said.
      { id: 't5', label: 1 },
    ];
    const measure = await measured(rows, { run });
    expect(measure).toMatchObject({
      samples: 3,
      disagreements: [{ id: 't2#0', label: 1, reward: 0 }],
      leftOut: { unknown: ['t99#0', 't5'], contradictory: ['t3#0'], unlabelled: 1, duplicates: 2 },
    });
  });

  it('may name a task that has one sample, and another judge may judge its samples', async () => {
    const run = await runOf(10);
    const rows = Array.from({ length: 10 }, (_, n) => ({ id: `t${n}`, label: n % 3 === 0 }));
    const seen: string[] = [];
    const judge: Judge = ({ task, document }, { remark }) => {
      seen.push(task.id);
      remark?.(`n is ${String(document['n'])}`);
      return Number(Number(document['n']) % 3 === 0 || document['n'] === 1);
    };
    const measure = await measured(rows.slice(0, 6), { run, judge });
    expect(seen).toHaveLength(6);
    expect(measure.disagreements).toEqual([{ id: 't1#0', label: 0, reward: 1, remark: 'n is 1' }]);
  });

  it('take the failures of a judge for no disagreement, and trust no figure with many of them', async () => {
    const run = await runOf(20, 1, ({ document }) => {
      if (Number(document['n']) < 1) throw new Error('no key');
      return Number(document['n']) % 2;
    });
    const rows = Array.from({ length: 20 }, (_, n) => ({ id: `t${n}`, label: n % 2 }));
    expect(await measured(rows, { run })).toMatchObject({
      samples: 19,
      kappa: { value: 1 },
      problem: null,
      leftOut: { unjudged: ['t0#0'] },
    });
    const judge: Judge = ({ document }) => {
      if (Number(document['n']) < 3) throw new Error('no key');
      return Number(document['n']) % 2;
    };
    expect((await measured(rows, { run, judge })).problem).toMatch(/^The judge gave no reward to 3 of 20/);
  });
});

describe('labels with texts', () => {
  it('are judged without a run', async () => {
    const rows = [
      { prompt: '2+2?', response: '4', expected: 4, label: 1 },
      { payload: { prompt: '2+3?' }, document: { answer: '6' }, expected: 5, label: 0 },
      { prompt: '2+4?', response: '7', expected: 6, label: 1 },
    ];
    const asked: unknown[] = [];
    const judge: Judge = ({ task, document, transcript }) => {
      asked.push([task.payload, transcript.messages[0]?.['content']]);
      return Number(document['answer'] === String(task.expected));
    };
    const measure = await measured(rows, { judge });
    expect(measure.confusion).toEqual([
      [1, 0],
      [1, 1],
    ]);
    expect(asked).toEqual([
      [{ prompt: '2+2?' }, '2+2?'],
      [{ prompt: '2+3?' }, '2+3?'],
      [{ prompt: '2+4?' }, '2+4?'],
    ]);
  });
});

describe('drift', () => {
  it('is that of two runs, or of two judgings by one judge', async () => {
    const run = await runOf(6);
    const reward: Judge = ({ document }) => (document['n'] === 2 ? 0.5 : Number(document['n']) % 2);
    const again = await rescore({ folder: run, reward, out: join(await temporaryFolder(), 'again') });
    const { drift } = await measureJudge({ run, drift: again.folder });
    expect(drift).toMatchObject({
      samples: 6,
      changed: [{ id: 't2#0', first: 0, second: 0.5 }],
      unjudged: 0,
    });
    expect(drift!.difference!.value).toBeCloseTo(0.5 / 6, 12);
    let calls = 0;
    const moody: Judge = ({ document }) => Number((calls += 1) > 6 && document['n'] === 5);
    expect((await measureJudge({ run, judge: moody, drift: true })).drift!.changed).toEqual([
      { id: 't5#0', first: 0, second: 1 },
    ]);
    expect((await measureJudge({ run, drift: run })).drift!.changed).toEqual([]);
  });
});

it.each([
  [{}, 'labels` to be a file with labels'],
  [{ labels: 'x', drift: true }, 'judge` to be a judge'],
  [{ labels: '/nowhere.jsonl' }, 'a file that can be read'],
  [{ run: '/nowhere', drift: '/nowhere' }, 'run` to be a folder'],
] as const)('refuses %j', async (options, words) => {
  await expect(measureJudge(options)).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining(words) as string,
  });
});

it('refuses labels without rewards and without a judge, and a label that is none', async () => {
  await expect(measured([{ id: 'a', label: 1 }])).rejects.toThrow('Name a run, or a judge');
  await expect(measured([{ id: 'a', label: {}, judge: 1 }])).rejects.toMatchObject({
    code: 'ART_INVALID_PAYLOAD',
  });
  const path = await labelFile([{ id: 'a', label: 1, judge: 1 }]);
  await appendFile(path, '{"id":');
  await expect(measureJudge({ labels: path })).rejects.toThrow('labels.jsonl, line 2');
});
