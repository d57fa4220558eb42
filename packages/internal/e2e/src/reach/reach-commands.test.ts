import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '@art/cli';
import { startGateway } from '@art/gateway';
import type { LocalRuntime } from '@art/local';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startMockEngine } from '../gateway/engine/mock-engine.ts';
import { startReachingAgents } from './reach-bed.fixture.ts';

let local: LocalRuntime;

beforeAll(async () => {
  local = await startReachingAgents();
});
afterAll(() => local.close());

const task = {
  calls: [[{ path: 'chat/completions', body: { model: 'm', messages: [{ role: 'user', content: 'hi' }] } }]],
};

async function startModel(): Promise<string> {
  const engine = await startMockEngine({ flavour: 'vllm', answer: () => ({ content: 'Hello.' }) });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const workers = [{ url: engine.url, flavour: 'vllm' as const }];
  const auth = { adminToken: 'admin', sessionKeys: true };
  const gateway = await startGateway({ port: 0, logLevel: 'silent', workers, auth });
  onTestFinished(() => gateway.close());
  return gateway.url;
}

async function taskFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-reach-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  await writeFile(join(folder, 'tasks.jsonl'), `${JSON.stringify(task)}\n`);
  return folder;
}

async function runArt(cwd: string, words: string[]) {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await runCli(words, {
    stdin: Readable.from([]),
    stdout: { write: (text) => output.push(text) },
    stderr: { write: (text) => errors.push(text) },
    env: { ART_GATEWAY_ADMIN_TOKEN: 'admin' },
    cwd,
    signals: new EventEmitter(),
    exit: () => {},
  });
  return { code, output, errors };
}

it.each([
  [
    'art invoke',
    ['invoke', JSON.stringify(task), '--arn'],
    { outcome: 'ok', captured: { turns: 1 }, document: { answers: [{ status: 200 }] } },
  ],
  ['art invoke --payloads', ['invoke', '--payloads', 'tasks.jsonl', '--arn'], { outcome: 'ok' }],
  ['art eval', ['eval', '--tasks', 'tasks.jsonl', '--agent-runtime-arn'], { mean: { value: 1 } }],
])('%s --reach session carries the calls of agents through a socket', async (_, words, expected) => {
  const [cwd, url] = [await taskFolder(), await startModel()];
  const before = local.metrics().sockets.opened;
  const place = [local.arnOf('reaching'), '--endpoint', local.endpoint, '--gateway', url];
  const { code, output, errors } = await runArt(cwd, [...words, ...place, '--reach', 'session', '--json']);
  expect({ code, errors }).toMatchObject({ code: 0 });
  expect(JSON.parse(output.join(''))).toMatchObject(expected);
  expect(local.metrics().sockets.opened).toBeGreaterThan(before);
});

it('art collect --reach session carries the calls of a group of rollouts through sockets', async () => {
  const [cwd, url] = [await taskFolder(), await startModel()];
  const before = local.metrics().sockets.opened;
  const answered = Promise.withResolvers<void>();
  const lines: Record<string, unknown>[] = [];
  const stdin = new PassThrough();
  const errors: string[] = [];
  const place = ['--agent-runtime-arn', local.arnOf('reaching'), '--endpoint', local.endpoint];
  const run = runCli(
    ['collect', '--stdio', '--state', 'state', ...place, '--gateway', url, '--reach', 'session'],
    {
      stdin,
      stdout: {
        write: (text, done) => {
          const line = JSON.parse(text) as Record<string, unknown>;
          lines.push(line);
          if (line['event'] === 'end' || line['event'] === 'error') answered.resolve();
          done?.();
        },
      },
      stderr: { write: (text) => errors.push(text) },
      env: { ART_GATEWAY_ADMIN_TOKEN: 'admin' },
      cwd,
      signals: new EventEmitter(),
      exit: () => {},
    },
  );
  stdin.write(`${JSON.stringify({ op: 'groups', call: 1, inputs: [task], rollouts_per_input: 2 })}\n`);
  await Promise.race([answered.promise, run]);
  stdin.end();
  expect({ code: await run, errors }).toMatchObject({ code: 0 });
  const group = lines.find(({ event }) => event === 'group');
  expect(group).toMatchObject({ kind: 'complete', rewards: [1, 1] });
  expect(local.metrics().sockets.opened - before).toBeGreaterThanOrEqual(2);
  await expect.poll(() => local.metrics().sockets.open).toBe(0);
});

it('art train --reach session trains on what came through sockets', async () => {
  const cwd = await taskFolder();
  const before = local.metrics().sockets.opened;
  const place = ['--agent-runtime-arn', local.arnOf('reaching'), '--endpoint', local.endpoint];
  const size = ['--steps', '1', '--groups', '1', '--rollouts', '2', '--max-tokens', '512'];
  const words = ['train', '--tasks', 'tasks.jsonl', '--on', 'local', ...size, ...place];
  const { code, output, errors } = await runArt(cwd, [...words, '--reach', 'session', '--json']);
  expect({ code, errors }).toMatchObject({ code: 0 });
  const events = output.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(events.find(({ event }) => event === 'step')).toMatchObject({ groups: { trained: 1 }, rows: 2 });
  expect(local.metrics().sockets.opened - before).toBeGreaterThanOrEqual(2);
  await expect.poll(() => local.metrics().sockets.open).toBe(0);
});
