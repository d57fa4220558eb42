import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportTables } from '../report/report-tables.ts';
import { evaluate } from '../run/evaluate.ts';
import type { EvaluateOptions } from '../run/evaluate-options.ts';
import { scriptedAgent } from '../run/scripted-agent.fixture.ts';

const tasks = Array.from({ length: 300 }, (_, at) => ({ id: `t${at}`, payload: { at } }));

async function folderOf(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `art-goal-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs an agent whose reward follows from the number of the task. */
async function run(rewardOf: (at: number) => number, options: Partial<EvaluateOptions> = {}) {
  const { agent, sent } = scriptedAgent(({ at }) => {
    const document = { rewards: rewardOf(at as number) };
    return { kind: 'ok', document, rewards: [document.rewards], reward: document.rewards } as never;
  });
  const done = await evaluate({
    agent,
    tasks,
    folder: await folderOf('run'),
    concurrency: 4,
    onNotice: () => undefined,
    ...options,
  });
  return { goal: done.results.goal!, results: done.results, record: done.record, sent, folder: done.folder };
}

describe('a run with a goal', () => {
  it('ends when it holds, in an order that is drawn, and is complete', async () => {
    // The first hundred fail: in the order of the file nothing good would be seen for long.
    const { goal, sent, results } = await run((at) => Number(at >= 100 || at % 2), { until: 'mean >= 0.5' });
    expect(goal).toMatchObject({ goal: 'mean >= 0.5', end: 'decided', problem: null, missingSamples: null });
    expect(goal.low).toBeLessThan(goal.value!);
    expect(sent.length).toBeLessThan(60);
    expect(sent.length).toBeGreaterThanOrEqual(goal.tasks);
    expect(results).toMatchObject({ isComplete: true, samples: { recorded: sent.length } });
  });

  it('ends when the opposite holds, or when it would hardly be shown', async () => {
    const bad = await run((at) => Number(at % 5 === 0), { until: 'mean > 0.7' });
    expect(bad.goal.end).toBe('refuted');
    expect(bad.sent.length).toBeLessThan(40);
    const even = await run((at) => at % 2, { until: 'mean > 0.5' });
    expect(even.goal.end).toBe('futile');
    expect(even.sent.length).toBeLessThan(200);
  });

  it('says how many samples are missing where no task is left', async () => {
    const { goal, sent } = await run((at) => Number(at % 5 > 0), {
      until: 'width < 0.01',
      limit: 40,
      prices: { '*': { input: 1, output: 1 } },
    });
    expect(sent).toHaveLength(40);
    expect(goal).toMatchObject({ end: 'ceiling', tasks: 40 });
    expect(goal.missingSamples).toBeGreaterThan(1_000);
  });

  it('compares with a baseline task by task, and asks only what that has', async () => {
    const before = await run((at) => Number(at % 3 === 0), { limit: 250 });
    const { goal, sent } = await run((at) => Number(at % 3 !== 1), {
      until: `difference from ${before.folder} > 0`,
    });
    expect(goal.end).toBe('decided');
    expect(sent.every(({ at }) => (at as number) < 250)).toBe(true);
    expect(sent.length).toBeLessThan(60);
    expect([goal.low! >= -1, goal.high! <= 1]).toEqual([true, true]);
  });

  it('continues after a stop with the answer that it had come to', async () => {
    const folder = await folderOf('resumed');
    const until = 'pass@1 > 0.5';
    const first = await run(() => 1, { until, folder });
    const again = await run(() => 0, { until, folder });
    expect(again.sent).toEqual([]);
    expect(again.goal).toEqual(first.goal);
  });

  it('ends where a sample that holds the others up is cut off', async () => {
    const held = Promise.withResolvers<void>();
    let sent = 0;
    const { agent } = scriptedAgent(async (_, index) => {
      sent += 1;
      // As many as may go ahead of the first one.
      if (sent === 16) held.resolve();
      if (index > 0) return { kind: 'ok', document: {}, reward: index % 2 } as never;
      await held.promise;
      return { kind: 'cancelled', error: new Error('The ceiling is reached.') } as never;
    });
    const done = await evaluate({
      agent,
      tasks,
      folder: await folderOf('cut'),
      concurrency: 4,
      until: 'mean > 0.5',
      onNotice: () => undefined,
    });
    expect(done.results.goal).toMatchObject({ end: 'ceiling', tasks: 0, value: null });
    expect(sent).toBe(16);
  });

  it('ends where a score lies outside of the rewards', async () => {
    const { goal, sent } = await run((at) => at / 10, { until: 'mean > 0.5' });
    expect(goal.end).toBe('futile');
    expect(goal.problem).toMatch(/lies outside .*--reward-range/);
    expect(sent.length).toBeLessThan(60);
    const ranged = await run((at) => at / 10, { until: 'mean > 5', rewardRange: [0, 30] });
    expect(ranged.goal.end).toBe('decided');
  });

  it.each([
    [{ until: 'mean > 2' }, /a bound from 0 to 1 .* got 2/],
    [{ until: 'pass@4 > 0.5' }, /at least 4 samples/],
    [{ until: 'difference from /nowhere > 0' }, /nowhere/],
    [{ until: 'mean > 0.5', tasks: (async function* () {})() }, /read twice/],
    [{ until: 'soon' }, /a goal such as/],
  ])('refuses %j before anything is sent', async (options, message) => {
    await expect(run(() => 1, options as Partial<EvaluateOptions>)).rejects.toThrow(message);
  });

  it('has a mean whose own interval is said to be of a fixed number of tasks', async () => {
    const meanOf = async (until: string): Promise<string | undefined> => {
      const { record, results } = await run((at) => at % 2, { until });
      const [figures] = reportTables(record, results, []);
      return figures!.rows.find(([name]) => name === 'mean reward')?.[2];
    };
    expect(await meanOf('mean > 0.1')).toMatch(/^Wilson, as if the number of tasks had been fixed$/);
    expect(await meanOf('width < 0.0001')).toBe('Wilson');
  });
});
