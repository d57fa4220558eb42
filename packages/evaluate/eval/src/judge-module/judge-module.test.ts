import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { describe, expect, it, onTestFinished } from 'vitest';
import { evaluate } from '../run/evaluate.ts';
import type { JudgedSample } from '../run/judge.ts';
import { okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { JudgeModule } from './judge-module.ts';
import { digestOfModule } from './module-digest.ts';

async function written(text: string, name = 'reward.mjs'): Promise<string> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, text);
  return file;
}

async function opened(text: string, timeoutMs = 30_000): Promise<JudgeModule> {
  const judge = await JudgeModule.open(await written(text), { timeoutMs });
  onTestFinished(() => judge[Symbol.asyncDispose]());
  return judge;
}

const sampleOf = (id: string): JudgedSample =>
  ({ task: { id, payload: {}, tags: [] }, sample: 0, document: { id }, transcript: {} }) as never;

describe('a judge in its thread', () => {
  it('says what its model has used, so that the ceilings of a run count it', async () => {
    const judge = await opened(`export default (_, { onUsage }) => {
      onUsage({ model: 'm', promptTokens: 3, completionTokens: 1 });
      return 1;
    }`);
    const used: unknown[] = [];
    expect(await judge.compute(sampleOf('a'), { onUsage: (usage) => used.push(usage) })).toBe(1);
    expect(used).toEqual([{ model: 'm', promptTokens: 3, completionTokens: 1 }]);
  });

  it('gives what it gives here: a number, metrics, remarks, and what it throws', async () => {
    const judge = await opened(`export default async ({ task }, { remark, signal }) => {
      remark(task.id + ' ' + (signal instanceof AbortSignal));
      if (task.id === 'bad') throw Object.assign(new Error('no key'), { code: 'ART_JUDGE_FAILED' });
      return { reward: 0.5, metrics: { turns: 2 } };
    }`);
    const remarks: string[] = [];
    const remark = (text: string): void => void remarks.push(text);
    expect(await judge.compute(sampleOf('a'), { remark })).toEqual({ reward: 0.5, metrics: { turns: 2 } });
    await expect(judge.compute(sampleOf('bad'), { remark })).rejects.toMatchObject({
      code: 'ART_JUDGE_FAILED',
      message: 'no key',
    });
    expect(remarks).toEqual(['a true', 'bad true']);
    expect(judge.name).toMatch(/^reward\.mjs [\da-f]{16}$/);
  });

  it('is a RewardFunction with its own members, too', async () => {
    const judge = await opened('export default { by: 3, async compute() { return this.by; } }');
    expect(await judge.compute(sampleOf('a'))).toBe(3);
  });

  it.each([
    ['5', 'ART_INVALID_OPTION', /default export is a RewardFunction or a function, got .*reward.mjs with 5/],
    ['{ scores() {} }', 'ART_INVALID_OPTION', /judge of one sample/],
  ])('is refused where the module exports %s', async (text, code, words) => {
    await expect(opened(`export default ${text}`)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words) as string,
    });
  });

  it('that does not load says why, and one that ends its thread fails what it judged', async () => {
    await expect(opened('import "./none.mjs"; export default 1')).rejects.toThrow('none.mjs');
    const judge = await opened(
      'export default ({ task }) => { if (task.id === "end") process.exit(3); return 1; }',
    );
    await expect(judge.compute(sampleOf('end'))).rejects.toThrow('ended its thread with code 3');
    expect(await judge.compute(sampleOf('next'))).toBe(1);
  });
});

// Long enough for a loaded machine to judge what does not block.
const timeoutMs = 1_500;

describe('a judge that takes too long', { timeout: 60_000 }, () => {
  it.each(
    shortlist(
      [
        ['waits for ever', 'await new Promise(() => {})'],
        ['blocks after it waited', 'await 0; for (;;);'],
        ['blocks at once', 'for (;;);'],
        ['blocks in a regular expression', '/^(a+)+$/.test("a".repeat(60) + "!")'],
      ],
      2,
    ),
  )('%s: that sample has no verdict, and those beside it have theirs', async (_, hang) => {
    const judge = await opened(
      `export default async ({ task }) => { if (task.id === 'hang') { ${hang} } return 1; }`,
      timeoutMs,
    );
    const ids = ['a', 'hang', 'b', 'c'];
    const found = await Promise.allSettled(ids.map(async (id) => judge.compute(sampleOf(id))));
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(found[1]).toMatchObject({ reason: { code: 'ART_JUDGE_TIMEOUT' } });
    expect(await judge.compute(sampleOf('d'))).toBe(1);
  });

  it('leaves its sample excluded, and counted as judge_failed', async () => {
    const folder = join(await temporaryFolder(), 'run');
    const tasks = ['a', 'hang'].map((id) => ({ id, payload: {} }));
    const text = `export default ({ task }) => { if (task.id === 'hang') for (;;); return 1; }`;
    const run = async (reward: JudgeModule) => {
      const { agent } = scriptedAgent(() => okOutcome({}));
      return evaluate({ agent, tasks, folder, reward, onNotice: () => undefined });
    };
    const { results } = await run(await opened(text, timeoutMs));
    expect(results).toMatchObject({
      mean: { value: 1 },
      excluded: { count: 1, byReason: { judge_failed: 1 } },
    });
  });

  it('is interrupted with the run', async () => {
    const judge = await opened('export default () => new Promise(() => {})');
    const stop = new AbortController();
    const verdict = judge.compute(sampleOf('a'), { signal: stop.signal });
    stop.abort(new Error('Ctrl-C'));
    await expect(verdict).rejects.toThrow('Ctrl-C');
  });
});

it('the digest of a judge changes with its text and with that of what it imports', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'reward.mjs');
  const digests: string[] = [];
  for (const [own, helper] of [
    ['1', 'a'],
    ['1', 'b'],
    ['2', 'b'],
    ['1', 'a'],
  ]) {
    await writeFile(
      file,
      `import { x } from './helper.mjs';\nimport 'node:fs';\nexport default () => ${own};`,
    );
    await writeFile(join(folder, 'helper.mjs'), `export const x = '${helper}';`);
    digests.push((await digestOfModule(file)).name);
  }
  expect(new Set(digests).size).toBe(3);
  expect(digests[3]).toBe(digests[0]);
});
