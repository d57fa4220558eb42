import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { rescore } from '../compare/rescore.ts';
import { readSamples } from '../records/read-samples.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import { evaluate } from './evaluate.ts';
import { recordedSettings } from './run-inputs.ts';
import { failedOutcome, okOutcome, scriptedAgent } from './scripted-agent.fixture.ts';

const tasks = Array.from({ length: 8 }, (_, at) => ({ id: `t${at}`, payload: { at } }));

/** Evaluates an agent, whose rewards are those of a coin that falls by task. */
async function run(
  {
    agent: changes,
    ...options
  }: Partial<Omit<EvaluateOptions, 'agent'>> & { agent?: Partial<EvaluatedAgent> } = {},
  rewardOf = (at: number): number => at % 2,
) {
  const folder = options.folder ?? join(await temporaryFolder(), 'run');
  const { agent } = scriptedAgent(({ at }) => okOutcome({ reward: rewardOf(at as number) }));
  const evaluated = {
    ...agent,
    name: 'agent.ts',
    model: { baseUrl: 'https://a.example/v1', modelId: 'm' },
    ...changes,
  };
  return evaluate({ tasks, onNotice: () => undefined, ...options, agent: evaluated, folder });
}

const begun = {
  agent: { settings: { temperature: 0.7, prompts: { system: 'x' } } },
  timeoutMs: 1_000,
  prices: { m: { input: 1, output: 2 } },
} as const;

describe('a run that continues with other inputs', () => {
  it.each<[string, Parameters<typeof run>[0], string]>([
    [
      'a setting',
      { agent: { settings: { temperature: 0.2, prompts: { system: 'x' } } } },
      'temperature 0.7, now 0.2',
    ],
    [
      'a setting that is left out',
      { agent: { settings: { temperature: 0.7 } } },
      'prompts {"system":"x"}, now none',
    ],
    [
      'a setting that is new',
      { agent: { settings: { ...begun.agent.settings, wire: 'rip' } } },
      'wire none, now "rip"',
    ],
    ['another model', { agent: { model: { modelId: 'n' } } }, 'model id "m", now "n"'],
    ['another address', { agent: { model: { baseUrl: 'https://b.example/v1' } } }, 'model address'],
    ['another agent', { agent: { name: 'other.ts' } }, 'agent "agent.ts", now "other.ts"'],
    ['other prompts', { prompts: { system: 'y' } }, 'prompts none, now {"system":"y"}'],
    ['another time', { timeoutMs: 2_000 }, 'timeoutMs 1000, now 2000'],
    ['another mark', { passReward: 0.5 }, 'passReward 1, now 0.5'],
    ['another price', { prices: { m: { input: 1, output: 3 } } }, 'prices {"m"'],
    ['another reward of failures', { failureReward: null }, 'failureReward 0, now none'],
  ])('is refused with its name: %s', async (_, other, named) => {
    const { folder } = await run(begun);
    await expect(run({ ...other, folder })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(named) as string,
    });
  });

  it('is taken with what is the same, or is not said again, and where a server of this machine has another port', async () => {
    const here = (port: number) => ({ model: { baseUrl: `http://127.0.0.1:${port}/v1`, modelId: 'm' } });
    const { folder, record } = await run({ agent: { ...begun.agent, ...here(1) }, timeoutMs: 1_000 });
    expect(record).toMatchObject({ settings: begun.agent.settings, judge: null, selectedBy: [] });
    await run({ folder, agent: { ...begun.agent, ...here(2) }, samples: 2 });
    await run({ folder, agent: here(2), timeoutMs: 1_000, samples: 3 });
    await expect(run({ folder, agent: { model: { baseUrl: 'https://a.example/v1' } } })).rejects.toThrow(
      'address',
    );
  });

  it('keeps no secrets, and knows them again', () => {
    const settings = recordedSettings({ api_key: 'sk-1', max_tokens: 5, temperature: 0 });
    expect(settings).toEqual({
      api_key: expect.stringMatching(/^sha256 [\da-f]{16}$/),
      max_tokens: 5,
      temperature: 0,
    });
    expect(settings).not.toEqual(recordedSettings({ api_key: 'sk-2', max_tokens: 5, temperature: 0 }));
  });
});

const strict = (): number => 0;
const mild = (): number => 1;

describe('judges', () => {
  it('are named in each sample, and another one is refused once one has judged', async () => {
    const { folder, record } = await run({ reward: strict });
    for await (const { record: sample } of readSamples(folder))
      expect([sample.rewardedBy, sample.judge]).toEqual(['judge', record.judge]);
    expect(record.judge).toMatch(/^strict [\da-f]{16}$/);
    for (const reward of [mild, undefined])
      await expect(run({ folder, reward, samples: 2 })).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining('art rescore') as string,
      });
    expect((await run({ folder, reward: strict, samples: 2 })).results.samples.scored).toBe(16);
  });

  it('that failed everywhere can be mended', async () => {
    const failing = (): number => {
      throw new Error('no key');
    };
    const { folder, results } = await run({ reward: failing });
    expect(results.excluded.byReason).toEqual({ judge_failed: 8 });
    const again = await run({ folder, reward: mild });
    expect([again.mean.value, again.record.judge]).toEqual([1, expect.stringMatching(/^mild /)]);
  });

  it('that differ are a doubt of a comparison, and the same judge is none', async () => {
    const [own, first, second] = [await run(), await run({ reward: strict }), await run({ reward: mild })];
    const doubtsOf = async (baseline: string, candidate: string) =>
      (await compareRuns({ baseline, candidate })).doubts.map(({ kind }) => kind);
    expect(await doubtsOf(first.folder, second.folder)).toEqual(['other_judge']);
    expect(await doubtsOf(own.folder, first.folder)).toEqual(['other_judge']);
    expect(await doubtsOf(own.folder, (await run()).folder)).toEqual([]);
    const judged = await rescore({ folder: own.folder, reward: strict });
    expect(await doubtsOf(judged.folder, first.folder)).toEqual([]);
  });
});

it('failures that count as something else are a doubt, where there are any', async () => {
  const [own, none] = await Promise.all([0, null].map((failureReward) => run({ failureReward })));
  const { agent } = scriptedAgent(({ at }) =>
    at === 0 ? failedOutcome('timeout') : okOutcome({ reward: 1 }),
  );
  const failing = await run({ agent, failureReward: null });
  const doubts = async (candidate: { folder: string }) =>
    (await compareRuns({ baseline: own!.folder, candidate: candidate.folder })).doubts;
  expect(await doubts(none!)).toEqual([]);
  expect(await doubts(failing)).toMatchObject([
    { kind: 'untrusted' },
    {
      kind: 'other_failures',
      message: expect.stringContaining('count as 0 in the baseline, not at all') as string,
    },
  ]);
});

it('tasks that were chosen by the results of the other run are a doubt, also by way of a third or a judged one', async () => {
  const before = await run();
  const failed = (folder: string) => run({ select: { failedIn: folder } }, () => 1);
  const after = await failed(before.folder);
  const { doubts } = await compareRuns({ baseline: before.folder, candidate: after.folder });
  expect(doubts.map(({ kind }) => kind)).toEqual(['chosen_tasks']);
  expect(doubts[0]!.message).toContain(
    'The tasks of the candidate were chosen by the results of the baseline',
  );
  const judged = await rescore({ folder: before.folder, reward: strict });
  const third = await failed(judged.folder);
  const reversed = await compareRuns({ baseline: third.folder, candidate: before.folder });
  expect(reversed.doubts.map(({ kind }) => kind)).toEqual(['chosen_tasks']);
  const fresh = await run();
  expect((await compareRuns({ baseline: fresh.folder, candidate: after.folder })).doubts).toEqual([]);
  expect(await readFile(join(after.folder, 'run.json'), 'utf8')).toContain(before.record.runId);
});
