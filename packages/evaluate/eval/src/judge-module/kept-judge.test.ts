import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rescore } from '../compare/rescore.ts';
import { evaluate } from '../run/evaluate.ts';
import type { Judgement, JudgedSample } from '../run/judge.ts';
import { okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { JudgeModule } from './judge-module.ts';
import { KeptJudge } from './kept-judge.ts';

const text = `let calls = 0;
export default ({ document }, { remark }) => {
  calls += 1;
  if (document.answer === 'broken') throw new Error('no key');
  remark('call ' + calls);
  return { reward: calls, metrics: { calls } };
};
`;

/** A judge that counts its calls, in a thread that is new each time. */
async function openedIn(folder: string, cache = join(folder, 'cache'), source = text): Promise<KeptJudge> {
  const file = join(folder, 'reward.mjs');
  await writeFile(file, source);
  const judge = await KeptJudge.open(await JudgeModule.open(file), cache);
  onTestFinished(() => judge[Symbol.asyncDispose]());
  return judge;
}

const sampleOf = (
  given: { sample?: number; answer?: string; said?: string; session?: string } = {},
): JudgedSample => {
  const { sample = 0, answer = '4', said = 'It is 4.', session = 's' } = given;
  return {
    task: { id: 't', payload: { prompt: '2+2?' }, tags: [], expected: 4 },
    sample,
    document: { answer },
    transcript: {
      sessionId: session,
      messages: [{ role: 'assistant', content: said }],
      calls: [
        {
          captureId: session,
          startedAtMs: Date.now(),
          latencyMs: sample,
          model: 'm',
          prompt: [],
          answer: 0,
          tools: [],
        },
      ],
    },
  } as unknown as JudgedSample;
};

async function keptFiles(cache: string): Promise<string[]> {
  const names = await readdir(cache, { recursive: true });
  return names.filter((name) => name.endsWith('.json')).map((name) => join(cache, name));
}

it('gives the same judgement again, in another process too, with its remarks', async () => {
  const folder = await temporaryFolder();
  const first = await openedIn(folder);
  const given: Judgement = { reward: 1, metrics: { calls: 1 } };
  expect(await first.compute(sampleOf())).toEqual(given);
  const second = await openedIn(folder);
  const told: string[] = [];
  const context = { remark: (words: string) => told.push(words), onKept: () => told.push('kept') };
  expect(await second.compute(sampleOf({ session: 'another' }), context)).toEqual(given);
  expect(told).toEqual(['call 1', 'kept']);
  expect([first.counts, second.counts]).toEqual([
    { hits: 0, misses: 1 },
    { hits: 1, misses: 0 },
  ]);
});

it('judges each sample of a task for itself, and what is different in any way', async () => {
  const judge = await openedIn(await temporaryFolder());
  for (const given of [{}, { sample: 1 }, { answer: '5' }, { said: 'It is 5.' }])
    await judge.compute(sampleOf(given));
  expect(judge.counts).toEqual({ hits: 0, misses: 4 });
});

it('mixes no versions: of the module, or of the variables that it names', async () => {
  const folder = await temporaryFolder();
  const source =
    "const { ART_TEST_MODEL: model } = process.env;\nexport default () => Number(model === 'b');\n";
  onTestFinished(() => {
    delete process.env['ART_TEST_MODEL'];
  });
  const rewards: Judgement[] = [];
  for (const [model, code] of [
    ['a', source],
    ['b', source],
    ['b', source],
    ['b', `${source}// changed\n`],
  ] as const) {
    process.env['ART_TEST_MODEL'] = model;
    const judge = await openedIn(folder, join(folder, 'cache'), code);
    rewards.push(await judge.compute(sampleOf()), judge.counts.hits);
  }
  expect(rewards).toEqual([0, 0, 1, 0, 1, 1, 1, 0]);
});

it('keeps no failure and no judgement that is none', async () => {
  const folder = await temporaryFolder();
  const judge = await openedIn(folder);
  await expect(judge.compute(sampleOf({ answer: 'broken' }))).rejects.toThrow('no key');
  const none = await openedIn(folder, join(folder, 'cache'), 'export default () => NaN;');
  expect(await none.compute(sampleOf())).toBeNaN();
  expect(await keptFiles(join(folder, 'cache'))).toEqual([]);
});

it('takes a torn file, and one of something else, for none', async () => {
  const folder = await temporaryFolder();
  const cache = join(folder, 'cache');
  const judge = await openedIn(folder);
  await judge.compute(sampleOf());
  const [file] = (await keptFiles(cache)) as [string];
  const whole = await readFile(file, 'utf8');
  for (const spoil of [
    () => truncate(file, whole.length - 5),
    () => truncate(file, 0),
    () => writeFile(file, 'null'),
    () => writeFile(file, whole.replace(/"key":"../, '"key":"xx')),
    () => writeFile(file, whole.replace(/"reward":\d+/, '"reward":null')),
  ]) {
    await spoil();
    const { hits } = judge.counts;
    await judge.compute(sampleOf());
    expect(judge.counts.hits).toBe(hits);
  }
});

it('may be shared by processes that judge at the same time', async () => {
  const folder = await temporaryFolder();
  const judges = await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      const own = await temporaryFolder();
      return openedIn(own, join(folder, 'cache'), `${text}// ${at % 2}\n`);
    }),
  );
  const samples = Array.from({ length: 40 }, (_, sample) => sampleOf({ sample }));
  await Promise.all(judges.flatMap((judge) => samples.map(async (sample) => judge.compute(sample))));
  expect(await keptFiles(join(folder, 'cache'))).toHaveLength(80);
  const again = await Promise.all(samples.map(async (sample) => judges[0]!.compute(sample)));
  expect(again).toEqual(await Promise.all(samples.map(async (sample) => judges[2]!.compute(sample))));
});

it('is counted in the record of a run, and not by a judge that is asked again', async () => {
  const folder = await temporaryFolder();
  const run = join(folder, 'run');
  const { agent } = scriptedAgent(() => okOutcome({ answer: '4' }));
  const tasks = ['a', 'b'].map((id) => ({ id, payload: { prompt: id } }));
  const evaluating = { agent, tasks, samples: 2, folder: run, onNotice: () => undefined };
  const { results } = await evaluate({ ...evaluating, reward: await openedIn(folder) });
  expect(results).toMatchObject({ keptJudgements: 0, samples: { scored: 4 } });
  const kept = await rescore({ folder: run, reward: await openedIn(folder), out: join(folder, 'kept') });
  expect(kept.results.keptJudgements).toBe(4);
  for await (const sample of kept.samples()) expect(sample.keptJudgement).toBe(true);
  const { results: asked } = await rescore({
    folder: kept.folder,
    reward: () => 1,
    out: join(folder, 'asked'),
  });
  expect(asked.keptJudgements).toBe(0);
});

it('refuses a folder that cannot be', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(openedIn(folder, join(folder, 'file/cache'))).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});
