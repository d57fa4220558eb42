import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { markdownSummary } from '../report/markdown-summary.ts';
import { evaluate } from '../run/evaluate.ts';
import { failedOutcome, okOutcome, type Script, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

async function run(script: Script, count: number, samples = 1) {
  const tasks = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, payload: { at } }));
  const folder = join(await temporaryFolder(), 'run');
  const { agent } = scriptedAgent(script);
  return evaluate({ agent, tasks, samples, folder, maxFailures: 0.5, onNotice: () => undefined });
}

/** Ten tasks with four samples; one sample of each of the first four is lost. @param passed tasks of which all others pass */
function lossy(passed: number) {
  const seen = new Map<unknown, number>();
  return run(
    ({ at }) => {
      const sample = seen.get(at) ?? 0;
      seen.set(at, sample + 1);
      if ((at as number) < 4 && sample === 0) return failedOutcome('lost');
      return okOutcome({ reward: Number((at as number) >= 10 - passed) });
    },
    10,
    4,
  );
}

describe('pass@k of tasks that lost samples', () => {
  it('is not judged where the threshold lies between both extremes', async () => {
    const done = await lossy(6);
    const { verdict, checks } = done.check({ minPassAt: { 4: 0.9 } });
    expect(done.passAt(4)).toMatchObject({ value: 1, tasks: 6, bounds: { low: 0.6, high: 1, tasks: 4 } });
    expect([verdict, checks[0]!.isReached]).toEqual(['not_judged', false]);
    expect(checks[0]!.problem).toContain('4 tasks have lost samples: pass@4 lies between 0.600 and 1.000.');
    expect(markdownSummary(done.record, done.results, checks)).toContain(
      '| pass&#64;4 | 0.600 to 1.000 | 4 tasks',
    );
  });

  it('is judged where both extremes say the same, and where no task loses what it needs', async () => {
    const done = await lossy(6);
    expect(done.check({ minPassAt: { 4: 0.6 } }).verdict).toBe('passed');
    expect((await lossy(10)).check({ minPassAt: { 4: 1 } }).verdict).toBe('passed');
    expect((await lossy(2)).check({ minPassAt: { 4: 0.7 } }).verdict).toBe('below');
    expect(done.passAt(2)).toMatchObject({ value: 0.6, bounds: null });
    expect(done.passPower(4).bounds).toEqual({ low: 0.6, high: 0.6, tasks: 4 });
  });
});

it('the report says how the mean of tasks differs where tasks have lost samples', async () => {
  let isLost = true;
  const done = await run(
    ({ at }) => {
      const isFirst = at === 0 && isLost;
      if (isFirst) isLost = false;
      return isFirst ? failedOutcome('lost') : okOutcome({ reward: Number(at === 0) });
    },
    2,
    2,
  );
  expect([done.mean.value, done.results.meanOfTasks]).toEqual([1 / 3, 0.5]);
  expect(markdownSummary(done.record, done.results)).toContain(
    '| mean of tasks | 0.500 | each task counts once',
  );
  const even = await run(({ at }) => okOutcome({ reward: at }), 2, 2);
  expect(markdownSummary(even.record, even.results)).not.toContain('mean of tasks');
});

describe('a threshold that has to be reached for certain', () => {
  it('is not passed by a run that has seen none of the zeros there are', async () => {
    // True mean 0.9025: with 10 tasks no zero is seen in three of five runs.
    const done = await run(({ at }) => okOutcome({ reward: 0.95 + (at as number) / 1_000 }), 10);
    const { verdict, checks } = done.check({ minReward: 0.92, isConfident: true });
    expect([verdict, checks[0]!.isReached, checks[0]!.low! < 0.65]).toEqual(['not_judged', false, true]);
    expect(checks[0]!.problem).toMatch(/^Too few tasks: 10 cannot show it .* 5\d tasks or more can\.$/);
  });

  it('fails where the value itself fails, and passes where enough tasks show it', async () => {
    const poor = await run(({ at }) => okOutcome({ reward: (at as number) % 2 }), 6);
    expect(poor.check({ minReward: 0.9, isConfident: true }).verdict).toBe('below');
    const rich = await run(() => okOutcome({ reward: 0.95 }), 60);
    expect(rich.check({ minReward: 0.8, minPassAt: { 1: 0 }, isConfident: true }).verdict).toBe('passed');
  });

  it('asks for the range of rewards that lie outside of 0 to 1', async () => {
    const done = await run(({ at }) => okOutcome({ reward: 4 + ((at as number) % 2) }), 40);
    const { verdict, checks } = done.check({ minReward: 2, isConfident: true });
    expect([verdict, checks[0]!.problem]).toEqual(['not_judged', expect.stringContaining('--reward-range')]);
    const known = done.check({ minReward: 3.5, isConfident: true, rewardRange: [0, 5] });
    expect(known).toMatchObject({ verdict: 'passed', checks: [{ low: expect.any(Number) as number }] });
    expect(known.checks[0]!.low).toBeLessThan(4.5);
    expect(done.check({ minReward: 2, isConfident: true, rewardRange: [0, 4] }).verdict).toBe('not_judged');
    expect(() => done.check({ minReward: 2, rewardRange: [5, 0] })).toThrow('rewardRange');
  });
});

describe('the share of tasks of which at least k samples pass', () => {
  /** Tasks of three samples. @param tasks passes of each, then null for each that is lost */
  function repeated(tasks: readonly (readonly (0 | 1 | null)[])[]) {
    const seen = new Map<unknown, number>();
    return run(
      ({ at }) => {
        const sample = seen.get(at) ?? 0;
        seen.set(at, sample + 1);
        const reward = tasks[at as number]![sample]!;
        return reward === null ? failedOutcome('lost') : okOutcome({ reward });
      },
      tasks.length,
      3,
    );
  }

  it('counts a task once, by its passes', async () => {
    const done = await repeated([
      [1, 1, 0],
      [1, 1, 1],
      [1, 0, 0],
      [0, 1, 1],
    ]);
    const { verdict, checks } = done.check({ minTasks: { 2: 0.75, 1: 1 } });
    expect(verdict).toBe('passed');
    expect(checks.map(({ name, estimate }) => [name, estimate?.value, estimate?.tasks])).toEqual([
      ['tasks that pass 1 of 3', 1, 4],
      ['tasks that pass 2 of 3', 0.75, 4],
    ]);
    expect(done.check({ minTasks: { 2: 0.8 } }).verdict).toBe('below');
    expect(done.check({ minTasks: { 4: 0.1 } }).verdict).toBe('not_judged');
    // Three of four tasks are no proof of half of them.
    expect(done.check({ minTasks: { 2: 0.5 }, isConfident: true }).verdict).not.toBe('passed');
  });

  it('says nothing between both extremes of lost samples, and counts tasks that these cannot change', async () => {
    const done = await repeated([
      [1, 1, null],
      [0, 0, null],
      [1, 0, null],
      [1, 1, 1],
    ]);
    const { verdict, checks } = done.check({ minTasks: { 2: 0.7 } });
    expect(verdict).toBe('not_judged');
    expect(checks[0]).toMatchObject({
      estimate: { tasks: 3, bounds: { low: 0.5, high: 0.75, tasks: 1 } },
      problem: expect.stringContaining(
        '1 tasks have lost samples: tasks that pass 2 of 3 lies between 0.500 and 0.750',
      ),
    });
    expect(done.check({ minTasks: { 2: 0.5 } }).verdict).toBe('passed');
    expect(done.check({ minTasks: { 2: 0.8 } }).verdict).toBe('below');
  });
});
