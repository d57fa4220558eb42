import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCli } from '@art/cli';
import { readTranscript } from '@art/eval/records';
import { startGateway } from '@art/gateway';
import type { IterationRecord } from '@art/improve';
import { startLocalRuntime } from '@art/local';
import { startMockModel } from '@art/mock-model';
import { expect, it, onTestFinished } from 'vitest';
import { runArt, samplesOf, startArt } from './art-eval.fixture.ts';
import modelScript from './improve-model.fixture.ts';

const file = (name: string): string => join(import.meta.dirname, name);

it('art improve, killed in the middle of it, continues to better prompts, within its budget', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-improve-killed-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  await writeTasks(cwd, 'train', 8);
  await writeTasks(cwd, 'heldout', 4);
  const evaluations = join(cwd, 'search', 'evaluations');
  const [inTheMiddle, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHolding = false;
  const model = await startMockModel({
    reply: async (request) => {
      // An iteration is written down, and of the next one some rollouts are: from there on nobody is answered.
      isHolding ||=
        (await iterationsOf(cwd)).length > 1 &&
        (await samplesOf(join(evaluations, '002-parent')).catch(() => [])).length > 0;
      if (isHolding) inTheMiddle.resolve();
      if (isHolding) await killed.promise;
      return modelScript(request);
    },
  });
  onTestFinished(() => model.close());
  onTestFinished(() => killed.resolve());
  const options = {
    tasks: 'train.jsonl',
    'held-out': 'heldout.jsonl',
    reward: file('improve-reward.fixture.ts'),
    'base-url': model.baseUrl,
    'model-id': 'playing',
    'reflect-model': 'reflecting',
    sessions: 'server',
    minibatch: '2',
    budget: '60',
    out: 'search',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = startArt(cwd, 'improve', file('improved-agent.fixture.ts'), ...flags);
  const closed = once(child, 'close');
  await Promise.race([inTheMiddle.promise, closed]);
  child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  killed.resolve();
  const before = await iterationsOf(cwd);

  const { code, output, errors } = await runArt(cwd, 'improve', '--resume', 'search', '--json');
  expect({ code, errors }).toMatchObject({ code: 0 });
  const told = JSON.parse(output) as {
    rollouts: number;
    prompts: { system: string };
    heldOut: { comparison: { difference: object; better: object[] } };
  };
  expect(told.prompts.system.split('\n').toSorted()).toEqual([
    'Answers of kind prayer end with AMEN',
    'Answers of kind radio end with OVER',
    'Repeat the word.',
  ]);
  expect(told.heldOut.comparison).toMatchObject({ difference: { value: 1, tasks: 4 }, doubts: [] });
  expect((await iterationsOf(cwd)).slice(0, before.length)).toEqual(before);
  const folders = await readdir(evaluations);
  const samples = await Promise.all(folders.map((name) => samplesOf(join(evaluations, name))));
  expect(samples.flat().length).toBe(told.rollouts);
  expect(told.rollouts).toBeLessThanOrEqual(60);
  expect(JSON.parse(await readFile(join(cwd, 'search', 'prompts.json'), 'utf8'))).toEqual(told.prompts);
});

it('art improve ends at the ceiling of its agent, and continues with a higher one', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-improve-ceiling-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  await writeTasks(cwd, 'train', 8);
  let calls = 0;
  const model = await startMockModel({
    reply: (request) => {
      if (request.model === 'playing') calls += 1;
      return modelScript(request);
    },
  });
  onTestFinished(() => model.close());
  const options = {
    tasks: 'train.jsonl',
    reward: file('improve-reward.fixture.ts'),
    'base-url': model.baseUrl,
    'model-id': 'playing',
    'reflect-model': 'reflecting',
    sessions: 'server',
    minibatch: '2',
    budget: '40',
    out: 'search',
    ceiling: '15 calls',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const first = await runArt(cwd, 'improve', file('improved-agent.fixture.ts'), ...flags);
  expect([first.code, calls]).toEqual([3, 15]);
  expect(first.errors).toMatch(/15 calls .*"art improve --resume search --ceiling \.\.\." continues/);
  const last = await runArt(cwd, 'improve', '--resume', 'search', '--ceiling', '90 calls', '--json');
  expect(last.code).toBe(0);
  expect((JSON.parse(last.output) as { rollouts: number }).rollouts).toBeLessThanOrEqual(40);
});

it('art improve on AgentCore: prompts travel with the rollouts, transcripts come from a gateway that wants a token', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-improve-agentcore-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  await writeTasks(cwd, 'train', 2, ['radio']);
  await writeTasks(cwd, 'heldout', 1, ['radio']);
  const model = await startMockModel({ reply: modelScript });
  onTestFinished(() => model.close());
  const auth = { adminToken: 'admin', sessionKeys: true };
  const gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    workers: [{ url: model.baseUrl }],
    auth,
  });
  onTestFinished(() => gateway.close());
  const command = [process.execPath, '--conditions=@art/source', file('improved-agent.fixture.ts')];
  const local = await startLocalRuntime({ agents: { improved: { command } } });
  onTestFinished(() => local.close());
  const options = {
    'agent-runtime-arn': local.arnOf('improved'),
    endpoint: local.endpoint,
    gateway: gateway.url,
    'model-id': 'playing',
    tasks: 'train.jsonl',
    'held-out': 'heldout.jsonl',
    reward: file('improve-reward.fixture.ts'),
    'reflect-model': 'reflecting',
    'reflect-url': model.baseUrl,
    minibatch: '1',
    budget: '6',
    out: 'search',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const output: string[] = [];
  const errors: string[] = [];
  const code = await runCli(['improve', ...flags, '--json'], {
    stdin: Readable.from([]),
    stdout: { write: (text) => output.push(text) },
    stderr: { write: (text) => errors.push(text) },
    env: { ART_GATEWAY_ADMIN_TOKEN: 'admin' },
    cwd,
    signals: new EventEmitter(),
    exit: () => {},
  });
  expect({ code, errors }).toMatchObject({ code: 0 });
  expect(JSON.parse(output.join(''))).toMatchObject({
    rollouts: 6,
    candidates: [{ mean: 0 }, { mean: 1 }],
    prompts: { system: 'Repeat the word.\nAnswers of kind radio end with OVER' },
    heldOut: { comparison: { difference: { value: 1 } } },
  });
  const child = join(cwd, 'search', 'evaluations', '001-child');
  const [sample] = await samplesOf(child);
  expect((await readTranscript(child, sample!.transcript!)).messages[0]).toEqual({
    role: 'system',
    content: 'Repeat the word.\nAnswers of kind radio end with OVER',
  });
});

async function writeTasks(
  cwd: string,
  name: string,
  count: number,
  kinds = ['radio', 'prayer'],
): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ payload: { kind: kinds[at % kinds.length], word: `${name} ${at}` } }),
  );
  await writeFile(join(cwd, `${name}.jsonl`), `${lines.join('\n')}\n`);
}

async function iterationsOf(cwd: string): Promise<IterationRecord[]> {
  const text = await readFile(join(cwd, 'search', 'iterations.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as IterationRecord);
}
