import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { checkHealth } from '../health/index.ts';
import { plantedRollout } from '../health/run/observed-rollout.fixture.ts';
import { writeJunitXml } from '../report/junit-xml.ts';
import { evaluate } from '../run/evaluate.ts';
import { okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { estimateDifference } from '../statistics/estimate-difference.ts';
import { estimateMean } from '../statistics/estimate-mean.ts';
import { openTasks } from '../tasks/task-source.ts';
import { selectTasks } from '../tasks/task-selection.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

const tasks = Array.from({ length: 10 }, (_, at) => ({ id: `t${at}`, payload: { at } }));

async function runOf(reward: number, passReward = 1) {
  const folder = join(await temporaryFolder(), 'run');
  const { agent } = scriptedAgent(() => okOutcome({ reward }));
  return evaluate({ agent, tasks, folder, passReward, onNotice: () => undefined });
}

it.each([
  ['the weights .6, .3 and .1', 0.6 + 0.3 + 0.1, 1],
  ['the weights .2, .4, .3 and .1', 0.2 + 0.4 + 0.3 + 0.1, 1],
  ['a tenth three times', 0.1 * 3, 0.3],
  ['0.7 + 0.1', 0.7 + 0.1, 0.8],
  ['negative rewards', -0.1 - 0.2, -0.3],
  ['large rewards', 1e6 * 1.1, 1_100_000],
  ['the mean of 0.6', 0.6, 0.6],
])('%s reach what they are, everywhere', async (_, reward, meant) => {
  const run = await runOf(reward, meant);
  const { verdict, checks } = run.check({ minReward: meant, minPassAt: { 1: 1 } });
  expect([verdict, ...checks.map(({ isReached }) => isReached)]).toEqual(['passed', true, true]);
  expect([run.passAt(1).value, run.passPower(1).value, run.results.worst]).toEqual([1, 1, []]);
  const path = join(run.folder, 'junit.xml');
  await writeJunitXml(run.folder, run.record, run.results, path);
  expect(await readFile(path, 'utf8')).toContain('failures="0"');
  const known = await selectTasks({ failedIn: run.folder }, 0);
  const failed = await openTasks([...tasks, { id: 'new', payload: {} }], undefined, known);
  expect(await Array.fromAsync(failed.open(), ({ id }) => id)).toEqual(['new']);
});

it('two runs that only rounding tells apart are the same', async () => {
  const [before, after] = [await runOf(0.3), await runOf(0.1 + 0.2)];
  const comparison = await compareRuns({ baseline: after.folder, candidate: before.folder });
  expect(comparison).toMatchObject({ direction: 'unclear', better: [], worse: [], unchanged: 10 });
  expect(comparison.difference).toMatchObject({ value: 0, pValue: 1 });
});

it('figures of rewards that are 0 and 1 but for rounding are those of 0 and 1', () => {
  for (const one of [0.6 + 0.3 + 0.1, 0.2 + 0.4 + 0.3 + 0.1]) {
    const nothing = 1 - 0.9 - 0.1;
    expect(estimateMean([[one], [nothing], [one]])).toEqual(estimateMean([[1], [0], [1]]));
    const pairs = [
      { first: [one], second: [nothing] },
      { first: [nothing], second: [0] },
    ];
    expect(estimateDifference(pairs)!.test).toBe('mcnemar');
  }
});

it('rewards that are one decimal are constant, in range, and no spread, however they were added up', async () => {
  for (const [reward, also] of [
    [0.1, 0.1],
    [0.93, 0.93],
    [0.3, 0.1 + 0.2],
    [1, 0.2 + 0.4 + 0.3 + 0.1],
  ] as const) {
    const rollouts = Array.from({ length: 12 }, (_, at) =>
      plantedRollout(at % 3, at, { reward: at % 2 ? reward : also }),
    );
    const { checks } = await checkHealth(rollouts, { purpose: 'training', rewardRange: [0, reward] });
    const stateOf = (id: string) => checks.find(({ check }) => check === id)?.state;
    expect([
      stateOf('reward_constant'),
      stateOf('group_without_spread'),
      stateOf('reward_out_of_range'),
    ]).toEqual(['finding', 'finding', 'healthy']);
  }
});
