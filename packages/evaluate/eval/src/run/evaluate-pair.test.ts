import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunBudget } from '@art/rollout';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { readMatrix } from '../matrix/read-matrix.ts';
import { readResults } from '../records/results-record.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { evaluatePair, type PairOptions } from './evaluate-pair.ts';
import { failedOutcome, okOutcome, type Script, scriptedAgent } from './scripted-agent.fixture.ts';

type RewardOf = (at: number) => number | null;

const by =
  (rewardOf: RewardOf): Script =>
  ({ at }) => {
    const reward = rewardOf(at as number);
    return reward === null ? failedOutcome('lost') : okOutcome({ reward });
  };

async function pair(
  [before, after]: readonly [Script, Script],
  options: Partial<PairOptions> = {},
  count = 300,
) {
  const [first, second] = [scriptedAgent(before), scriptedAgent(after)];
  const folder = options.folder ?? join(await temporaryFolder(), 'pair');
  const run = evaluatePair({
    tasks: Array.from({ length: count }, (_, at) => ({ id: `t${at}`, payload: { at } })),
    until: 'difference > 0',
    concurrency: 8,
    retry: { lost: 0 },
    onNotice: () => undefined,
    baseline: { name: 'old', agent: first.agent },
    candidate: { name: 'new', agent: second.agent },
    ...options,
    folder,
  });
  const idsOf = ({ sent }: typeof first): unknown[] => sent.map(({ at }) => at).toSorted();
  return {
    run,
    folder,
    asked: () => [idsOf(first), idsOf(second)] as const,
    sent: () => [first.sent, second.sent],
  };
}

describe('two agents side by side', () => {
  it('ends once the difference is shown, and gives both the same tasks', async () => {
    const { run, asked, folder } = await pair([
      by((at) => Number(at % 3 === 0)),
      by((at) => Number(at % 3 !== 1)),
    ]);
    const { baseline, candidate } = await run;
    expect(candidate.results.goal).toMatchObject({
      goal: 'difference > 0',
      end: 'decided',
      missingSamples: null,
    });
    expect(baseline.results.goal).toBeNull();
    const [old, fresh] = asked();
    expect(fresh).toEqual(old);
    expect(old.length).toBeLessThan(60);
    expect(old.length).toBeGreaterThanOrEqual(candidate.results.goal!.tasks);
    expect([baseline.results.isComplete, candidate.results.isComplete]).toEqual([true, true]);
    // Both are runs like any other.
    const folders = { baseline: join(folder, 'old'), candidate: join(folder, 'new') };
    const { difference, doubts } = await compareRuns(folders);
    expect([difference!.tasks, doubts]).toEqual([old.length, []]);
    const cells = await readMatrix(folder, { baseline: 'old' });
    const cell = cells.find(({ name }) => name === 'new')!;
    expect([cell.results.goal, cell.pHolm, cell.direction]).toEqual([candidate.results.goal, null, null]);
  });

  it('ends where the opposite holds, where it would hardly be shown, and where no task is left', async () => {
    const worse = await pair([by(() => 1), by((at) => Number(at % 5 === 0))]);
    expect((await worse.run).candidate.results.goal!.end).toBe('refuted');
    const alike = await pair([by((at) => at % 2), by((at) => Number(at % 4 < 2))]);
    expect((await alike.run).candidate.results.goal!.end).toBe('futile');
    const few = await pair([by(() => 0), by((at) => at % 2)], {}, 6);
    const { goal } = (await few.run).candidate.results;
    expect(goal).toMatchObject({ end: 'ceiling', tasks: 6 });
    // Of both agents.
    expect(goal!.missingSamples! % 2).toBe(0);
    expect(few.asked()[0]).toHaveLength(6);
  });

  it('goes no further ahead with the quick one than the slow one allows', async () => {
    let mostAhead = 0;
    let [slow, quick] = [0, 0];
    const { run } = await pair([
      async () => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
        slow += 1;
        return okOutcome({ reward: 0 });
      },
      ({ at }) => {
        quick += 1;
        mostAhead = Math.max(mostAhead, quick - slow);
        return okOutcome({ reward: Number((at as number) % 4 === 0) });
      },
    ]);
    expect((await run).candidate.results.goal!.end).toBe('decided');
    // Four rounds of four sessions.
    expect(mostAhead).toBeGreaterThan(4);
    expect(mostAhead).toBeLessThanOrEqual(16);
  });

  it('leaves a task out that either side has lost, and never counts it as 0', async () => {
    const options = { maxFailures: 1_000 };
    const { run } = await pair([by(() => 0.5), by((at) => (at % 2 === 0 ? null : 0.5))], options, 60);
    const { goal, excluded } = (await run).candidate.results;
    expect([goal!.value, goal!.end]).toEqual([0, 'ceiling']);
    expect([goal!.tasks, excluded.count]).toEqual([30, 30]);
  });

  it('continues with the answer that it had come to, and after a stop with what is missing', async () => {
    const gain: [Script, Script] = [by(() => 0), by((at) => Number(at % 4 === 0))];
    const first = await pair(gain);
    const { goal } = (await first.run).candidate.results;
    const again = await pair(gain, { folder: first.folder });
    expect((await again.run).candidate.results.goal).toEqual(goal);
    expect(again.asked()).toEqual([[], []]);

    const stop = new AbortController();
    let done = 0;
    const onSample = (): void => {
      done += 1;
      if (done === 5) stop.abort(new Error('Ctrl-C'));
    };
    const cut = await pair(gain, { signal: stop.signal, onSample });
    await expect(cut.run).rejects.toThrow('Ctrl-C');
    const rest = await pair(gain, { folder: cut.folder });
    expect((await rest.run).candidate.results.goal).toEqual(goal);
    expect(rest.asked().flat().length).toBeGreaterThan(0);
  });

  it('stops both where one cannot go on', async () => {
    const reward = () => {
      throw new Error('no disk');
    };
    const { run, sent } = await pair([by(() => 0), by(() => 1)], { reward, maxFailures: 0 }, 100);
    // A judge that fails spoils its samples, and ends nothing.
    expect((await run).candidate.results.excluded.isTrusted).toBe(false);
    const other = await pair([by(() => 0), by(() => 1)]);
    await other.run;
    const changed = await pair([by(() => 0), by(() => 1)], {
      folder: other.folder,
      samples: 1,
      passReward: 0.5,
    });
    await expect(changed.run).rejects.toThrow(/passReward 1, now 0\.5/);
    expect(changed.sent()).toEqual([[], []]);
    expect(sent()[0]!.length).toBeGreaterThan(0);
  });

  it('counts both below one ceiling, which ends both', async () => {
    const capture = {
      budget: undefined as RunBudget | undefined,
      captures: () => Promise.resolve([]),
      callCounts: () => Promise.resolve({ failed: undefined, kept: undefined }),
      drop: () => Promise.resolve(),
    };
    let calls = 0;
    const script: Script = () => {
      calls += 1;
      capture.budget!.count({ calls, tokens: 0, usd: 0 });
      return okOutcome({ reward: 1 });
    };
    const [one, two] = [scriptedAgent(script), scriptedAgent(script)];
    for (const { agent } of [one, two]) agent.capture = capture;
    const folder = await temporaryFolder();
    const options = { folder, ceiling: ['21 calls'] };
    const sides = {
      baseline: { name: 'old', agent: one.agent },
      candidate: { name: 'new', agent: two.agent },
    };
    const { run } = await pair([by(() => 0), by(() => 0)], { ...options, ...sides });
    const { baseline, candidate } = await run;
    expect(candidate.results).toMatchObject({
      goal: { end: 'ceiling' },
      ceiling: { reached: { unit: 'calls' } },
    });
    expect([baseline.results.isComplete, candidate.results.isComplete]).toEqual([false, false]);
    // Four sessions of each were under way.
    expect(calls).toBeLessThanOrEqual(21 + 8);
    expect(await readFile(join(folder, 'spending.jsonl'), 'utf8')).toContain(`"calls":${calls}`);
    expect((await readResults(join(folder, 'new')))!.goal!.end).toBe('ceiling');

    two.agent.capture = { ...capture };
    const apart = await pair([by(() => 0), by(() => 0)], { ceiling: ['21 calls'], ...sides });
    await expect(apart.run).rejects.toThrow('one gateway for both agents');
  });

  it.each([
    ['mean > 0.5', /a goal about the difference of two agents/],
    ['difference from main > 0', /a goal about the difference of two agents/],
    ['difference > 2', /a bound from -1 to 1/],
  ])('refuses "%s" before anything is sent', async (until, message) => {
    const { run, sent } = await pair([by(() => 0), by(() => 1)], { until });
    await expect(run).rejects.toThrow(message);
    expect(sent()).toEqual([[], []]);
  });
});
