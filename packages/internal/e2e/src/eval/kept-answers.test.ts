import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultsRecord } from '@art/eval/records';
import { beforeEach, expect, it } from 'vitest';
import { nodeOptions, runArt, samplesOf } from './art-eval.fixture.ts';
import { startEndpoint } from './counting-endpoint.fixture.ts';

const agent = join(import.meta.dirname, 'ceiling-agent.fixture.ts');
let cwd: string;
let endpoint: Awaited<ReturnType<typeof startEndpoint>>;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'art-kept-answers-'));
  const tasks = [1, 3].map((calls, at) => ({ id: `t${at}`, payload: { calls, stream: at === 1 } }));
  await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  await writeFile(join(cwd, 'prices.json'), JSON.stringify({ paid: { input: 10_000, output: 10_000 } }));
  endpoint = await startEndpoint();
  return () => rm(cwd, { recursive: true, force: true, maxRetries: 10 });
});

async function evaluate(out: string, ...options: string[]): Promise<ResultsRecord> {
  const model = ['--base-url', endpoint.url, '--model-id', 'paid', '--sessions', 'server'];
  const run = [
    '--tasks',
    'tasks.jsonl',
    '--out',
    out,
    '--prices',
    'prices.json',
    '--cache',
    'kept',
    '--json',
  ];
  const ended = await runArt(cwd, 'eval', agent, ...run, ...model, ...options);
  expect([ended.code, ended.errors]).toEqual([0, expect.anything()]);
  return JSON.parse(ended.output) as ResultsRecord;
}

it(
  'a run that is made again asks nothing, says so, and spends nothing; a further sample asks',
  { timeout: 240_000 },
  async () => {
    const first = await evaluate('first', '--samples', '2');
    expect(endpoint.seen.calls).toBe(8);
    expect(first).toMatchObject({ keptAnswers: 0, modelCalls: 8, cost: { total: 8 } });
    expect(first.latencyMs).not.toBeNull();
    const second = await evaluate('second', '--samples', '2', '--ceiling', '1 calls');
    expect(endpoint.seen.calls).toBe(8);
    expect(second).toMatchObject({
      outcomes: { ok: 4 },
      keptAnswers: 8,
      modelCalls: 8,
      // As without kept answers: it is what the agent costs. The ceiling counts what the run has spent.
      cost: { total: 8 },
      ceiling: { spent: { calls: 0, tokens: 0 }, reached: null },
      latencyMs: null,
    });
    expect((await samplesOf(join(cwd, 'second'))).map(({ keptAnswers }) => keptAnswers).toSorted()).toEqual([
      1, 1, 3, 3,
    ]);
    const third = await evaluate('third', '--samples', '3');
    expect(endpoint.seen.calls).toBe(12);
    expect(third).toMatchObject({ keptAnswers: 8, modelCalls: 12 });
    const shown = await runArt(cwd, 'eval', '--resume', 'second');
    expect(shown.output).toMatch(/kept answers +8 +of 8 calls, not asked for this run/);
  },
);

it('another endpoint has answers of its own', { timeout: 240_000 }, async () => {
  await evaluate('first');
  endpoint = await startEndpoint();
  const second = await evaluate('second');
  expect([second.keptAnswers, endpoint.seen.calls]).toEqual([0, 4]);
});

it('a script keeps its answers until it is another one', { timeout: 240_000 }, async () => {
  const evaluateScript = async (out: string, reply: string): Promise<number | undefined> => {
    await writeFile(join(cwd, 'script.json'), JSON.stringify([{ turns: [reply] }]));
    const run = ['--tasks', 'tasks.jsonl', '--out', out, '--cache', 'kept', '--json', '--sessions', 'server'];
    const ended = await runArt(cwd, 'eval', agent, ...run, '--mock-model', 'script.json');
    expect(ended.code).toBe(0);
    return (JSON.parse(ended.output) as ResultsRecord).keptAnswers;
  };
  expect(await evaluateScript('one', 'a')).toBe(0);
  expect(await evaluateScript('two', 'a')).toBe(4);
  expect(await evaluateScript('three', 'b')).toBe(0);
});

it('is refused where nothing of it could be kept', { timeout: 240_000 }, async () => {
  const wanted = ['--tasks', 'tasks.jsonl', '--cache', 'kept', '--no-gateway'];
  const run = await runArt(cwd, 'eval', agent, ...wanted, '--env', `NODE_OPTIONS=${nodeOptions}`);
  expect(run.code).toBe(2);
  expect(run.errors).toMatch(/Expected `?--cache`? to be a judge \(--reward\), or an agent on this machine/);
  expect(await readdir(cwd)).not.toContain('kept');
});
