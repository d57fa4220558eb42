import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { expect, it, onTestFinished } from 'vitest';
import { estimateDifference } from '../statistics/estimate-difference.ts';
import { estimateMean } from '../statistics/estimate-mean.ts';
import { randomSource } from '../statistics/random-source.ts';
import { scenarios } from '../statistics/simulation.fixture.ts';
import { varianceParts } from '../statistics/variance-parts.ts';
import { evaluate } from '../run/evaluate.ts';
import { scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { planRun } from './plan-run.ts';

/** A run whose scores are these, by task. */
async function runOf(scores: readonly (readonly number[])[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-plan-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const left = scores.map((ofTask) => [...ofTask]);
  const { agent } = scriptedAgent(({ at }) => {
    const reward = left[at as number]!.shift()!;
    return { kind: 'ok', document: { rewards: reward }, reward } as never;
  });
  const tasks = scores.map((_, at) => ({ id: `t${at}`, payload: { at } }));
  await evaluate({ agent, tasks, samples: scores[0]!.length, folder, onNotice: () => undefined });
  return folder;
}

const { 'binary, p of tasks from 0 to 1': uneven, 'normal by task and sample': normal } = scenarios;
const random = randomSource(7);
const draw = (tasks: number, samples: number, scenario = uneven!): number[][] =>
  Array.from({ length: tasks }, () => {
    const sample = scenario.task(random);
    return Array.from({ length: samples }, sample);
  });

it.each(
  shortlist(
    [
      ['binary', uneven!, '0.1', 0.1],
      ['normal', normal!, 'width < 0.06', 0.06],
    ],
    1,
  ),
)(
  'a planned run of %s rewards has an interval as narrow as was planned',
  async (_, scenario, plan, bound) => {
    const { rows, from } = await planRun({ plan, from: [await runOf(draw(400, 8, scenario))] });
    expect(from).toHaveLength(1);
    for (const { samples, tasks } of rows) {
      const widths = Array.from({ length: 200 }, () => {
        const { low, high } = estimateMean(draw(tasks[0]!, samples, scenario))!;
        return high - low;
      });
      const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length;
      expect(mean / bound).toBeGreaterThan(0.93);
      expect(mean / bound).toBeLessThan(1.07);
    }
  },
);

it('a planned comparison shows the difference with a chance of 80 %, of agents that are alike and unlike', async () => {
  const bound = 0.1;
  const { rows, cases } = await planRun({
    plan: `difference > ${bound}`,
    from: [await runOf(draw(400, 8, normal))],
    samples: 2,
  });
  expect(cases.map(({ name }) => name)).toEqual(['tasks, alike', 'tasks, unlike']);
  for (const [at, isAlike] of [
    [0, true],
    [1, false],
  ] as const) {
    const tasks = rows[0]!.tasks[at]!;
    let shown = 0;
    const rounds = 600;
    for (let round = 0; round < rounds; round += 1) {
      const pairs = Array.from({ length: tasks }, () => {
        const one = normal!.task(random);
        const other = isAlike ? one : normal!.task(random);
        return { first: [one(), one()], second: [other() + bound, other() + bound] };
      });
      if (estimateDifference(pairs)!.low > 0) shown += 1;
    }
    expect(shown / rounds).toBeGreaterThan(0.73);
    expect(shown / rounds).toBeLessThan(0.89);
  }
});

it('two earlier runs say how much their agents have in common', async () => {
  const tasks = Array.from({ length: 300 }, () => normal!.task(random));
  const folders = await Promise.all([0, 1].map(() => runOf(tasks.map((task) => [task(), task()]))));
  const plan = await planRun({ plan: 'difference > 0.05', from: folders, samples: 2 });
  const alike = await planRun({ plan: 'difference > 0.05', from: folders.slice(1), samples: 2 });
  expect(plan.rows[0]!.tasks[0]! / alike.rows[0]!.tasks[0]!).toBeGreaterThan(0.7);
  expect(plan.rows[0]!.tasks[0]! / alike.rows[0]!.tasks[0]!).toBeLessThan(1.4);
});

it('without a run it takes the worst case, and says how many tasks there are', async () => {
  const plan = await planRun({ plan: '0.05', tasks: [{ payload: {} }, { payload: {} }] });
  // 4 x 1.96 ^ 2 x 0.25 / 0.05 ^ 2, and a little for Student's t.
  expect(plan).toMatchObject({ figure: 'width', bound: 0.05, available: 2, from: [] });
  expect(plan.rows).toEqual([{ samples: 1, tasks: [1_540], cost: null, tokens: null }]);
  const wide = await planRun({ plan: 'width < 0.5', rewardRange: [0, 10] });
  expect(wide.rows[0]!.tasks).toEqual([1_540]);
});

it('tasks that all agree are no proof of a spread of nothing', async () => {
  const { rows } = await planRun({
    plan: '0.05',
    from: [await runOf(Array.from({ length: 10 }, () => [1]))],
  });
  expect(rows[0]!.tasks[0]).toBeGreaterThan(1_000);
});

it('splits the variance of a worked example', () => {
  // Means 1, 3 and 8; within (2 + 2 + 8) / 3 = 4; between 13 - 4 / 2.
  expect(varianceParts([[[0, 2]], [[2, 4]], [[6, 10]]])).toEqual({ between: 11, within: 4 });
  expect(varianceParts([[[1]], [[3]]])).toEqual({ between: 2, within: 0 });
});

it.each([
  [{ plan: 'soon' }, /"difference > 0.05" as plan, got "soon"/],
  [{ plan: '0' }, /as plan/],
  [{ plan: 'difference < 0.05' }, /as plan/],
  [{ plan: '0.05', from: ['a', 'b'] }, /fewer earlier runs/],
])('refuses %j', async (options, message) => {
  await expect(planRun(options)).rejects.toThrow(message);
});
