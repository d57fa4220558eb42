import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultsRecord } from '@art/eval/records';
import { startGateway } from '@art/gateway';
import { startLocalRuntime } from '@art/local';
import { eventually } from '@art/tooling/eventually';
import { shortlist } from '@art/tooling/thorough';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ArtRun, nodeOptions, runArt, samplesOf, startArt } from './art-eval.fixture.ts';
import { startEndpoint } from './counting-endpoint.fixture.ts';

const agent = join(import.meta.dirname, 'ceiling-agent.fixture.ts');
const concurrency = 3;
let cwd: string;
let endpoint: Awaited<ReturnType<typeof startEndpoint>>;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'art-ceilings-'));
  endpoint = await startEndpoint();
  return () => rm(cwd, { recursive: true, force: true, maxRetries: 10 });
});

async function writeTasks(calls: readonly number[], stream = false): Promise<void> {
  const tasks = calls.map((count, at) => ({ id: `t${at}`, payload: { calls: count, stream } }));
  await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  await writeFile(join(cwd, 'prices.json'), JSON.stringify({ paid: { input: 10_000, output: 10_000 } }));
}

function evaluate(...options: string[]): string[] {
  const model = ['--base-url', endpoint.url, '--model-id', 'paid', '--sessions', 'server'];
  const run = ['--tasks', 'tasks.jsonl', '--concurrency', String(concurrency), '--out', 'run'];
  return ['eval', agent, ...run, ...model, ...options];
}

const resultsOf = ({ output }: ArtRun): ResultsRecord => JSON.parse(output) as ResultsRecord;

describe('a ceiling of the run', () => {
  it.each(
    shortlist(
      [
        ['2000 tokens', true, '90000 tokens', 20 + concurrency - 1],
        ['20 calls', false, '90 calls', 20],
        ['20usd', false, '90 usd', 20 + concurrency - 1],
      ],
      1,
    ),
  )(
    '%s, streamed %s: the endpoint gets no more than the calls in flight beyond it, and a higher one continues',
    { timeout: 240_000 },
    async (ceiling, stream, higher, most) => {
      await writeTasks(Array<number>(12).fill(3), stream);
      const first = await runArt(
        cwd,
        ...evaluate(
          '--ceiling',
          ceiling,
          '--prices',
          'prices.json',
          '--min-reward',
          '0.9',
          '--save-as',
          'main',
        ),
      );
      const calls = endpoint.seen.calls;
      expect(calls).toBeLessThanOrEqual(most);
      expect(calls).toBeGreaterThanOrEqual(20);
      expect(first.code).toBe(3);
      expect(first.output).toMatch(
        /ceiling +20+ (calls|tokens|usd) +2\d+ \1 spent: reached, \d of 12 samples are missing/,
      );
      expect(first.output).toMatch(/What is missing is no failure: "art eval --resume run --ceiling \.\.\."/);
      const before = await samplesOf(join(cwd, 'run'));
      expect(before.every(({ outcome }) => outcome === 'ok')).toBe(true);
      // As it was, it has nothing left to spend.
      const same = await runArt(cwd, 'eval', '--resume', 'run', '--json');
      expect([same.code, endpoint.seen.calls]).toEqual([3, calls]);
      const last = await runArt(cwd, 'eval', '--resume', 'run', '--ceiling', higher, '--json');
      expect(last.code).toBe(0);
      expect(resultsOf(last)).toMatchObject({
        isComplete: true,
        outcomes: { ok: 12 },
        ceiling: { reached: null, spent: { calls: endpoint.seen.calls, tokens: 100 * endpoint.seen.calls } },
      });
    },
  );

  it('counts what the judge asks its model, too', { timeout: 240_000 }, async () => {
    await writeTasks(Array<number>(12).fill(1));
    const judge = join(import.meta.dirname, 'judging-model.fixture.ts');
    const text = `import { judgeBy } from ${JSON.stringify(judge)};\nexport default judgeBy(${JSON.stringify(endpoint.url)});\n`;
    await writeFile(join(cwd, 'reward.mjs'), text);
    const first = await runArt(cwd, ...evaluate('--ceiling', '9 calls', '--reward', 'reward.mjs', '--json'));
    expect(first.code).toBe(3);
    expect(resultsOf(first).ceiling).toMatchObject({ reached: { unit: 'calls' } });
    // Agents of the sessions in flight call once more, and the judges of these and of as many that have ended.
    expect(endpoint.seen.calls).toBeLessThanOrEqual(9 + 3 * concurrency);
    const last = await runArt(cwd, 'eval', '--resume', 'run', '--ceiling', '90 calls', '--json');
    expect(resultsOf(last)).toMatchObject({
      isComplete: true,
      ceiling: { spent: { calls: endpoint.seen.calls, tokens: 100 * endpoint.seen.calls } },
    });
    expect(endpoint.seen.calls).toBe(24);
  });

  it('counts what a killed process has spent', { timeout: 240_000 }, async () => {
    await writeTasks(Array<number>(40).fill(3));
    const child = startArt(cwd, ...evaluate('--ceiling', '60 calls'));
    await eventually(() => expect(endpoint.seen.calls).toBeGreaterThan(20));
    child.kill('SIGKILL');
    await once(child, 'close');
    const again = await runArt(cwd, 'eval', '--resume', 'run', '--json');
    expect(again.code).toBe(3);
    expect(endpoint.seen.calls).toBeLessThanOrEqual(60);
    expect(resultsOf(again).ceiling).toMatchObject({ reached: { unit: 'calls' } });
  });
});

it(
  'a sample that wants more than its ceiling ends as that, soon, and counts as a failure',
  { timeout: 240_000 },
  async () => {
    await writeTasks([1, 5, 2]);
    const run = await runArt(cwd, ...evaluate('--sample-ceiling', '2 calls', '--json'));
    expect(run.code).toBe(0);
    expect(resultsOf(run)).toMatchObject({ outcomes: { ok: 2, ceiling: 1 }, samples: { scored: 3 } });
    expect(endpoint.seen.calls).toBe(1 + 2 + 2);
    const cut = (await samplesOf(join(cwd, 'run'))).find(({ taskId }) => taskId === 't1');
    expect(cut).toMatchObject({
      outcome: 'ceiling',
      score: 0,
      error: { code: 'ART_CEILING_REACHED' },
      modelCalls: 2,
    });
    expect(cut!.latencyMs).toBeLessThan(20_000);
  },
);

it.each([
  [['--ceiling', '5usd'], /price of the model paid/],
  [['--ceiling', '5 dollars'], /"200 calls"/],
  [['--ceiling', '5 calls', '--no-gateway'], /Expected a gateway beside a ceiling/],
])('%j is refused before anything is sent', async (options, message) => {
  await writeTasks([1]);
  const run = await runArt(cwd, ...evaluate(...options));
  expect([run.code, endpoint.seen.calls]).toEqual([2, 0]);
  expect(run.errors).toMatch(message);
});

it(
  'art invoke ends a batch at its ceiling, and art resume sends what was cut off',
  { timeout: 240_000 },
  async () => {
    const [local, gateway] = await Promise.all([
      startLocalRuntime({
        agents: { caller: { command: [process.execPath, agent], env: { NODE_OPTIONS: nodeOptions } } },
        s3: { autoCreateBuckets: true },
      }),
      startGateway({ port: 0, workers: [{ url: endpoint.url }], logLevel: 'silent' }),
    ]);
    onTestFinished(async () => {
      await local.close();
      await gateway.close();
    });
    const payloads = Array.from({ length: 6 }, () => `${JSON.stringify({ calls: 3 })}\n`);
    await writeFile(join(cwd, 'payloads.jsonl'), payloads.join(''));
    const there = ['--endpoint', local.endpoint, '--gateway', gateway.url, '--model-id', 'paid'];
    const files = ['--payloads', 'payloads.jsonl', '--out', 'out.jsonl', '--journal', 'runs'];
    const bucket = [
      '--arn',
      local.arnOf('caller'),
      '--bucket',
      'results',
      '--run',
      'one',
      '--concurrency',
      '2',
    ];
    const first = await runArt(cwd, 'invoke', ...bucket, ...there, ...files, '--ceiling', '8 calls');
    expect([first.code, endpoint.seen.calls]).toEqual([16, 8]);
    expect(first.errors).toMatch(/The ceiling is reached .* "art resume one" with a higher one continues/);
    const last = await runArt(cwd, 'resume', 'one', ...there, ...files, '--ceiling', '90 calls');
    expect(last).toMatchObject({ code: 0 });
    const lines = (await readFile(join(cwd, 'out.jsonl'), 'utf8')).trimEnd().split('\n');
    const outcomes = lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome);
    expect(outcomes).toEqual(Array(6).fill('ok'));

    const one = ['--arn', local.arnOf('caller'), '--wire', 'rip', ...there];
    const cut = await runArt(cwd, 'invoke', '{"calls":3}', ...one, '--sample-ceiling', '2 calls', '--json');
    expect(cut.code).toBe(19);
    expect(JSON.parse(cut.output)).toMatchObject({ outcome: 'ceiling' });
    const uncounted = ['--arn', local.arnOf('caller'), '--wire', 'rip', '--endpoint', local.endpoint];
    const refused = await runArt(cwd, 'invoke', '{"calls":3}', ...uncounted, '--ceiling', '2 calls');
    expect([refused.code, refused.errors]).toEqual([2, expect.stringMatching(/left out without --gateway/)]);
  },
);

it('art collect holds all of its requests below one ceiling', { timeout: 240_000 }, async () => {
  const model = ['--base-url', endpoint.url, '--model-id', 'paid', '--port', '0', '--json'];
  const child = startArt(cwd, 'collect', agent, ...model, '--ceiling', '8 calls');
  const [ready] = (await once(child.stdout!, 'data')) as [Buffer];
  const { url } = JSON.parse(String(ready)) as { url: string };
  const collect = async (requestId: string): Promise<{ outcome: string; reward: number | null }[]> => {
    const body = { request_id: requestId, inputs: [{ calls: 3 }], rollouts_per_input: 2 };
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/groups`, { method: 'POST', headers, body: JSON.stringify(body) });
    const lines = (await reply.text()).trim().split('\n');
    const groups = lines.map(
      (line) => JSON.parse(line) as { members?: { outcome: string; reward: number }[] },
    );
    return groups.flatMap(({ members = [] }) => members);
  };
  expect((await collect('one')).map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  const cut = await collect('two');
  expect(cut.map(({ outcome, reward }) => [outcome, reward])).toEqual([
    ['cancelled', null],
    ['cancelled', null],
  ]);
  expect(endpoint.seen.calls).toBe(8);
});
