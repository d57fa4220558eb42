import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { rescore } from '../compare/rescore.ts';
import { readMatrix } from '../matrix/read-matrix.ts';
import { planRun } from '../plan/plan-run.ts';
import { readRunRecord } from '../records/run-record.ts';
import { markdownSummary } from '../report/markdown-summary.ts';
import { evaluate } from '../run/evaluate.ts';
import type { EvaluateOptions } from '../run/evaluate-options.ts';
import { failedOutcome, okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

const nearly = [1, 0.9, 0];
const poor = [0.2, 0, 1];

/** Tasks in turn of `kinds`, three samples each; null for one that is lost. */
async function run(
  kinds: readonly (readonly (number | null)[])[],
  options: Partial<EvaluateOptions> = {},
  count = 4 * kinds.length,
) {
  const seen = new Map<unknown, number>();
  const { agent, sent } = scriptedAgent(({ at }) => {
    const sample = seen.get(at) ?? 0;
    seen.set(at, sample + 1);
    const reward = kinds[(at as number) % kinds.length]![sample % 3];
    return reward == null ? failedOutcome('lost') : okOutcome({ reward });
  });
  const tasks = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, payload: { at }, tags: ['all'] }));
  const folder = options.folder ?? join(await temporaryFolder(), 'run');
  const done = await evaluate({
    agent,
    tasks,
    samples: 3,
    concurrency: 2,
    passReward: 0.9,
    maxFailures: 1_000,
    retry: { lost: 0 },
    onNotice: () => undefined,
    ...options,
    folder,
  });
  return { done, folder, sent };
}

describe('a run whose tasks have one score', () => {
  it.each([
    ['median', 0.9, 0.2, 0.55],
    ['mode', 0, 0, 0],
    ['at-least:2', 1, 0, 0.5],
  ])('%s: every figure of a task is that score', async (reduce, good, bad, mean) => {
    const { done } = await run([nearly, poor], { reduce });
    const { results, record } = done;
    expect(record.reduce).toBe(reduce);
    expect(results.mean).toMatchObject({ samples: 8, tasks: 8 });
    expect(results.mean!.value).toBeCloseTo(mean);
    expect(results.meanOfTasks).toBeCloseTo(mean);
    expect(results.byTag[0]!.mean!.value).toBeCloseTo(mean);
    expect(results.worst.slice(0, 1).map((task) => task.mean)).toEqual(good === bad ? [] : [bad]);
    // pass@1 is of samples: two of three and one of three.
    expect(results.passAt[0]!.value).toBeCloseTo(0.5);
    expect(markdownSummary(record, results)).toContain('| score of a task |');
    for (const isConfident of [false, true]) {
      const { checks } = done.check({ minReward: mean - 0.5, isConfident });
      expect(checks[0]!.isReached).toBe(!isConfident || checks[0]!.low! >= mean - 0.5);
      expect(done.check({ minReward: mean + 0.01, isConfident }).checks[0]!.isReached).toBe(false);
    }
  });

  it('leaves a task open whose lost samples decide, and never counts it as 0', async () => {
    const { done } = await run([[1, 0, null], [1, 1, null], [0, 0, null], nearly], { reduce: 'at-least:2' });
    expect(done.results.mean).toMatchObject({
      value: expect.closeTo(2 / 3) as number,
      tasks: 12,
      bounds: { low: 0.5, high: 0.75, tasks: 4 },
    });
    expect(done.check({ minReward: 0.6 }).verdict).toBe('not_judged');
    expect(done.check({ minReward: 0.5 }).verdict).toBe('passed');
    expect(done.check({ minReward: 0.8 }).verdict).toBe('below');
    const median = await run([[1, 0.5, null]], { reduce: 'median' });
    expect(median.done.results.mean!.value).toBe(0.75);
  });

  it('is compared by that score, and only with its like', async () => {
    const [before, after] = [
      await run([poor], { reduce: 'median' }),
      await run([nearly], { reduce: 'median' }),
    ];
    const comparison = await compareRuns({ baseline: before.folder, candidate: after.folder });
    expect(comparison.doubts).toEqual([]);
    expect(comparison.better[0]).toMatchObject({ baseline: 0.2, candidate: 0.9 });
    const mean = await run([nearly]);
    const doubtful = await compareRuns({ baseline: before.folder, candidate: mean.folder });
    expect(doubtful.doubts.map(({ kind }) => kind)).toEqual(['other_reducer']);
    const more = await run([nearly], { reduce: 'median', samples: 6 });
    const unequal = await compareRuns({ baseline: before.folder, candidate: more.folder });
    expect(unequal.doubts[0]!.message).toMatch(/the median of 3 samples .* the median of 6 samples/);
  });

  it('is what a goal is about, and the same after a stop without being named again', async () => {
    const until = 'mean >= 0.8';
    const first = await run([nearly], { reduce: 'median', until }, 100);
    expect(first.done.results.goal).toMatchObject({ end: 'decided', value: expect.closeTo(0.9) as number });
    const { folder } = first;
    const again = await run([nearly], { until, folder, passReward: undefined }, 100);
    expect(again.done.results.goal).toEqual(first.done.results.goal);
    expect(again.sent).toEqual([]);
    const baseline = await run([poor], {}, 100);
    await expect(
      run([nearly], { reduce: 'median', until: `difference from ${baseline.folder} > 0` }, 100),
    ).rejects.toThrow(/the median of 3 samples, got the mean of 3 samples/);
    await expect(run([nearly], { folder, reduce: 'mode' }, 100)).rejects.toThrow(
      /reduce "median", now "mode"/,
    );
    const shared = await run(
      [nearly, poor],
      { reduce: 'at-least:2', until: 'mean > 0.2', rewardRange: [-9, 9] },
      100,
    );
    expect(shared.done.results.goal).toMatchObject({ end: 'decided', low: expect.any(Number) as number });
    expect(shared.done.results.goal!.low).toBeGreaterThan(0);
  });

  it('passes it on to what is judged again, to a matrix, and to a plan', async () => {
    const { folder } = await run([nearly, poor], { reduce: 'median' });
    const judged = await rescore({ folder, reward: ({ document }) => (document['reward'] as number) / 2 });
    expect(judged.results.mean!.value).toBeCloseTo(0.275);
    expect((await readRunRecord(judged.folder)).reduce).toBe('median');
    const [cell] = await readMatrix(join(folder, '..'));
    expect(cell!.results.mean!.value).toBeCloseTo(0.55);
    const plan = await planRun({ plan: '0.1', from: [folder] });
    expect(plan.rows.map(({ samples }) => samples)).toEqual([3]);
    expect(plan.cases[0]).toMatchObject({ within: 0, between: expect.closeTo(0.14) as number });
    await expect(planRun({ plan: '0.1', from: [folder], samples: 5 })).rejects.toThrow(
      'the median of 5 samples',
    );
  });

  it('is refused where a task cannot reach it', async () => {
    await expect(run([nearly], { reduce: 'at-least:4' })).rejects.toThrow(/no more than the 3 samples/);
    await expect(run([nearly], { reduce: 'best' })).rejects.toThrow(/"median".*got "best"/);
  });
});
