import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { rescore } from '../compare/rescore.ts';
import { readRunRecord, writeRunRecord } from '../records/run-record.ts';
import { readTranscript } from '../records/transcript-record.ts';
import { evaluate } from '../run/evaluate.ts';
import { failedOutcome, okOutcome, type Script, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import type { Thresholds } from '../results/thresholds.ts';
import { writeJunitXml } from './junit-xml.ts';
import { markdownSummary } from './markdown-summary.ts';

const hostile = '<script>|`@all` \u0000\uD800\n# x';

async function run(script: Script, count = 30) {
  const folder = join(await temporaryFolder(), 'run');
  const tasks = Array.from({ length: count }, (_, at) => ({
    id: at === 0 ? hostile : `t${at}`,
    payload: { at },
  }));
  const done = await evaluate({
    agent: scriptedAgent(script).agent,
    tasks,
    folder,
    onNotice: () => undefined,
  });
  return { folder, done };
}

const half: Script = ({ at }) => okOutcome({ reward: (at as number) % 2, answer: at });

describe('reports', () => {
  it('JUnit XML has a case a sample, well-formed whatever it is called', async () => {
    const { folder, done } = await run(({ at }, index) =>
      at === 2 ? failedOutcome('lost') : half({ at }, index),
    );
    const path = join(folder, 'junit.xml');
    await writeJunitXml(folder, done.record, done.results, path);
    const xml = await readFile(path, 'utf8');
    expect(xml).toContain('<testsuite name="agent" tests="30" failures="14" errors="1"');
    expect(xml.match(/<testcase /g)).toHaveLength(30);
    expect(xml).toContain('name="&lt;script&gt;|`@all` \ufffd\ufffd\n# x#0"');
    expect(xml).toMatch(/name="t2#0" time="0.003"><error type="ART_ROLLOUT_TIMEOUT" message="It was lost."/);
  });

  it('JUnit XML follows thresholds: it is red where the exit code is', async () => {
    const { folder, done } = await run(half);
    const xmlOf = async (thresholds: Thresholds): Promise<string> => {
      const path = join(folder, 'junit.xml');
      await writeJunitXml(folder, done.record, done.results, path, done.check(thresholds));
      return readFile(path, 'utf8');
    };
    const reached = await xmlOf({ minReward: 0.4, minPassAt: { 1: 0.3 } });
    expect(reached).toContain('<testsuites tests="32" failures="0" errors="0" time');
    expect(reached).toContain('name="mean reward &gt;= 0.4"/>');
    const below = await xmlOf({ minReward: 0.4, isConfident: true });
    expect(below).toContain('<testsuites tests="31" failures="1" errors="0" time');
    expect(below).toMatch(
      /name="mean reward &gt;= 0.4"><failure type="below" message="mean reward is 0.500, at least 0\.2\d+ with 97\.5 %/,
    );
    expect(await xmlOf({ minPassAt: { 9: 0.3 } })).toContain('failures="0" errors="1" time');
  });

  it('JUnit XML has a case a task where one verdict is made of its samples', async () => {
    const passes = [[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, null, 0], []];
    const seen = new Map<unknown, number>();
    const { agent } = scriptedAgent(({ at }) => {
      const sample = seen.get(at) ?? 0;
      seen.set(at, sample + 1);
      const reward = passes[at as number]![sample];
      return reward == null ? failedOutcome('lost') : okOutcome({ reward });
    });
    const xmlOf = async (count: number, reduce: string, thresholds: Thresholds): Promise<string> => {
      seen.clear();
      const folder = join(await temporaryFolder(), 'run');
      const tasks = Array.from({ length: count }, (_, at) => ({
        id: at === 0 ? hostile : `t${at}`,
        payload: { at },
      }));
      const options = { maxFailures: 100, retry: { lost: 0 }, onNotice: () => undefined };
      const done = await evaluate({ agent, tasks, folder, samples: 3, reduce, concurrency: 1, ...options });
      const path = join(folder, 'junit.xml');
      await writeJunitXml(folder, done.record, done.results, path, done.check(thresholds));
      return readFile(path, 'utf8');
    };
    const below = await xmlOf(3, 'mean', { minTasks: { 1: 0.1, 2: 0.9 } });
    expect(below).toContain('<testsuites tests="5" failures="2" errors="0"');
    expect(below).toContain('<testsuite name="agent" tests="3" failures="1" errors="0" skipped="0"');
    expect(below).toMatch(
      /name="t1" time="0\.009"><failure type="below" message="1 of 3 samples passed, wanted 2"\/><system-out>.*\n#0: 1, ok\n#1: 0, ok\n/,
    );
    const reached = await xmlOf(4, 'mean', { minTasks: { 2: 0.5 } });
    expect(reached).toContain('<testsuites tests="5" failures="0" errors="0"');
    expect(reached).toContain('name="t1" time="0.009"><skipped message="1 of 3 samples passed, wanted 2"/>');
    expect(reached).toContain('<skipped message="1 of 3 samples passed, 1 have no reward, wanted 2"/>');
    const reduced = await xmlOf(5, 'median', {});
    expect(reduced).toContain('<testsuite name="agent" tests="5" failures="2" errors="1" skipped="0"');
    expect(reduced).toContain('message="1 of 3 samples passed; the median of 3 samples is 0, wanted 1"');
    expect(reduced).toContain('<error type="not_judged" message="0 of 3 samples passed, 3 have no reward"/>');
    const open = await xmlOf(4, 'at-least:2', { minReward: 0.1 });
    expect(open).toContain('<testsuites tests="5" failures="0" errors="0"');
    expect(open).toContain('#1: no reward, lost, It was lost.');
  });

  it('metrics that stand beside the reward are in every report and in a comparison', async () => {
    const scripted =
      (extra: number): Script =>
      ({ at }) =>
        at === 3
          ? failedOutcome('timeout')
          : okOutcome({ reward: 1, metrics: { turns: (at as number) + extra, '<b>': true } });
    const [before, after] = [await run(scripted(0), 4), await run(scripted(2), 4)];
    expect(before.done.results.metrics).toMatchObject([
      { name: '<b>', value: 1, samples: 3 },
      // A failure of the agent is a reward of 0, and no metric.
      { name: 'turns', value: 1, samples: 3, method: 't' },
    ]);
    expect(markdownSummary(before.done.record, before.done.results)).toContain(
      '| turns | 1.000 &#91;-1.484, 3.484&#93; | 3 samples |',
    );
    const path = join(before.folder, 'junit.xml');
    await writeJunitXml(before.folder, before.done.record, before.done.results, path);
    expect(await readFile(path, 'utf8')).toContain('<system-out>turns 2\n&lt;b&gt; 1</system-out>');
    const { metrics } = await compareRuns({ baseline: before.folder, candidate: after.folder });
    expect(metrics).toMatchObject([
      { name: '<b>', difference: { value: 0, tasks: 3 } },
      { name: 'turns', difference: { value: 2, tasks: 3 } },
    ]);
  });

  it('Markdown shows what others wrote as text', async () => {
    const { done } = await run(half);
    const { checks } = done.check({ minReward: 0.9 });
    const text = markdownSummary(done.record, done.results, checks);
    expect(text).toContain('| mean reward | >= 0.9 |');
    expect(text).toContain('not reached');
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('@all');
    expect(text).toContain('&lt;script>&#124;&#96;&#64;all&#96;');
  });
});

describe('compareRuns', () => {
  it('pairs tasks, and says what became better or worse', async () => {
    const before = await run(half);
    const after = await run(({ at }) => okOutcome({ reward: at === 1 ? 0 : 1 }));
    const comparison = await compareRuns({ baseline: before.folder, candidate: after.folder });
    expect(comparison).toMatchObject({
      direction: 'better',
      unchanged: 14,
      worse: [{ taskId: 't1', baseline: 1, candidate: 0, change: -1 }],
      difference: { tasks: 30, test: 'mcnemar' },
    });
    expect(comparison.difference!.value).toBeCloseTo(14 / 30, 12);
    // 15 to 1 of 16 that differ: 2 (1 + 16) / 2^16.
    expect(comparison.difference!.pValue).toBeCloseTo(34 / 65_536, 12);
    const back = await compareRuns({ baseline: after.folder, candidate: before.folder });
    expect(back.direction).toBe('worse');
    expect((await compareRuns({ baseline: before.folder, candidate: before.folder })).direction).toBe(
      'unclear',
    );
  });

  it('leaves out what only one of them has', async () => {
    const [small, large] = [await run(half, 3), await run(half, 5)];
    const comparison = await compareRuns({ baseline: small.folder, candidate: large.folder });
    expect(comparison).toMatchObject({ onlyBaseline: [], onlyCandidate: ['t3', 't4'], unchanged: 3 });
  });
});

describe('a comparison that cannot be relied on says why', () => {
  const kinds = async (baseline: string, candidate: string) =>
    (await compareRuns({ baseline, candidate })).doubts.map(({ kind }) => kind);

  it('of runs that are whole and of the same tasks there is none', async () => {
    const [one, other] = [await run(half, 4), await run(half, 4)];
    expect(await kinds(one.folder, other.folder)).toEqual([]);
  });

  it('a run that is not finished, or of which too many samples are excluded', async () => {
    const one = await run(half, 4);
    const broken = await run(({ at }, index) => (at === 1 ? failedOutcome('lost') : half({ at }, index)), 4);
    expect(await kinds(one.folder, broken.folder)).toEqual(['untrusted']);
    await writeRunRecord(one.folder, { ...one.done.record, samples: 2 });
    expect(await kinds(one.folder, broken.folder)).toEqual(['unfinished', 'untrusted']);
    await writeRunRecord(one.folder, {
      ...one.done.record,
      tasks: { ...one.done.record.tasks, count: null },
    });
    expect(await kinds(broken.folder, one.folder)).toEqual(['untrusted', 'unfinished']);
  });

  it.each<[string, object, string[]]>([
    ['another payload', { payload: { at: 7 }, expected: 'x' }, ['other_tasks']],
    ['another answer', { payload: { at: 1, by: 2 }, expected: 'y' }, ['other_tasks']],
    [
      'only other tags and another order of names',
      { payload: { by: 2, at: 1 }, expected: 'x', tags: ['a'] },
      [],
    ],
  ])('the same id with %s', async (_, task, wanted) => {
    const folderOf = async (tasks: object[]) => {
      const folder = join(await temporaryFolder(), 'run');
      await evaluate({ agent: scriptedAgent(half).agent, tasks, folder });
      return folder;
    };
    const known = { id: 'b', payload: { at: 1, by: 2 }, expected: 'x' };
    const first = await folderOf([{ id: 'a', payload: { at: 1 } }, known]);
    // One task more: the digests of all tasks differ anyway.
    const second = await folderOf([
      { id: 'b', ...task },
      { id: 'a', payload: { at: 1 } },
      { id: 'c', payload: { at: 3 } },
    ]);
    expect(await kinds(first, second)).toEqual(wanted);
  });

  it('runs without a task in common', async () => {
    const [one, other] = [await run(half, 1), await run(() => okOutcome({}), 1)];
    expect(await kinds(one.folder, other.folder)).toContain('no_tasks');
  });
});

describe('rescore', () => {
  it('judges what is written down, into its own run', async () => {
    const { folder } = await run(({ at }, index) => (at === 3 ? failedOutcome('lost') : half({ at }, index)));
    const again = await rescore({
      folder,
      reward: ({ document }) => (Number(document['answer']) < 10 ? 1 : 0),
    });
    expect(again.mean.value).toBeCloseTo(9 / 29, 12);
    expect(again.results).toMatchObject({ outcomes: { ok: 29, lost: 1 }, excluded: { count: 1 } });
    expect(again.record.rescoredFrom).toBe(folder);
    for await (const { transcript } of again.samples()) await readTranscript(again.folder, transcript!);
    expect((await readRunRecord(folder)).rescoredFrom).toBeNull();
    await expect(rescore({ folder, reward: () => 1, out: again.folder })).rejects.toThrow('not empty');
  });
});
