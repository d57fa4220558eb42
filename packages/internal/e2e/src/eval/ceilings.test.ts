import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultsRecord } from '@art/eval/records';
import { eventually } from '@art/tooling/eventually';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ArtRun, runArt, samplesOf, startArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'ceiling-agent.fixture.ts');
const concurrency = 3;
const usage = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 };

/** An endpoint like a hosted one, which counts what it is asked for. */
async function startEndpoint(): Promise<{ url: string; seen: { calls: number } }> {
  const seen = { calls: 0 };
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      if (request.url !== '/v1/chat/completions') return response.writeHead(404).end();
      seen.calls += 1;
      const isStream = (JSON.parse(body) as { stream?: boolean }).stream === true;
      await pause(20);
      const head = { id: 'c', object: 'chat.completion', created: 1, model: 'paid-2026-01-01' };
      if (!isStream) {
        const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } };
        response.setHeader('content-type', 'application/json');
        return response.end(JSON.stringify({ ...head, choices: [choice], usage }));
      }
      response.setHeader('content-type', 'text/event-stream');
      const events = [
        { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }] },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { ...head, choices: [], usage },
      ];
      return response.end(
        `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

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
  it.each([
    ['20 calls', false, '90 calls', 20],
    ['2000 tokens', true, '90000 tokens', 20 + concurrency - 1],
    ['20usd', false, '90 usd', 20 + concurrency - 1],
  ])(
    '%s, streamed %s: the endpoint gets no more than the calls in flight beyond it, and a higher one continues',
    { timeout: 240_000 },
    async (ceiling, stream, higher, most) => {
      await writeTasks(Array<number>(12).fill(3), stream);
      const first = await runArt(
        cwd,
        ...evaluate('--ceiling', ceiling, '--prices', 'prices.json', '--min-reward', '0.9', '--save-as', 'main'),
      );
      const calls = endpoint.seen.calls;
      expect(calls).toBeLessThanOrEqual(most);
      expect(calls).toBeGreaterThanOrEqual(20);
      expect(first.code).toBe(3);
      expect(first.output).toMatch(/ceiling +20+ (calls|tokens|usd) +2\d+ \1 spent: reached, \d of 12 samples are missing/);
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

it('a sample that wants more than its ceiling ends as that, soon, and counts as a failure', { timeout: 240_000 }, async () => {
  await writeTasks([1, 5, 2]);
  const run = await runArt(cwd, ...evaluate('--sample-ceiling', '2 calls', '--json'));
  expect(run.code).toBe(0);
  expect(resultsOf(run)).toMatchObject({ outcomes: { ok: 2, ceiling: 1 }, samples: { scored: 3 } });
  expect(endpoint.seen.calls).toBe(1 + 2 + 2);
  const cut = (await samplesOf(join(cwd, 'run'))).find(({ taskId }) => taskId === 't1');
  expect(cut).toMatchObject({ outcome: 'ceiling', score: 0, error: { code: 'ART_CEILING_REACHED' }, modelCalls: 2 });
  expect(cut!.latencyMs).toBeLessThan(20_000);
});

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
