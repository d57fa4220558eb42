import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { takePort } from '@art/local';
import type { AdamParams, Sample, StepRow, TrainingSteps } from '@art/train/steps';
import { tinkerTraining } from '@art/train-tinker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PythonEnvironment, preparePython } from '../../interop/python-environment.ts';
import { runPython } from '../../interop/run-python.ts';

const here = import.meta.dirname;
const adam: AdamParams = {
  learningRate: 5e-3,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0,
  gradClipNorm: 0,
};
const loss = { name: 'importance_sampling' } as const;

let python: PythonEnvironment;
let folder: string;
let model: string;
let url: string;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  python = await preparePython({
    requirementsFile: join(here, 'requirements.txt'),
    least: 12,
    probe: 'skyrl, jax, tinker, zstandard',
    bare: ['skyrl==0.4.0'],
  });
  if (python.kind === 'missing') throw new Error(`SkyRL could not be installed: ${python.reason}`);
  folder = await mkdtemp(join(tmpdir(), 'art-skyrl-'));
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  model = join(folder, 'tiny');
  const env = {
    ...process.env,
    PYTHONPATH: join(here, 'stubs'),
    JAX_PLATFORMS: 'cpu',
    HF_HUB_OFFLINE: '1',
    JAX_COMPILATION_CACHE_DIR: join(here, '../../../../../node_modules/.cache/art-jax'),
  };
  const made = spawn(python.executable, [join(here, 'tiny_qwen.py'), model], { env, stdio: 'inherit' });
  const [code] = (await once(made, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The model could not be written.');
  const port = await takePort();
  url = `http://127.0.0.1:${port}`;
  const log = await open(join(folder, 'server.log'), 'w');
  const backend = {
    max_lora_adapters: 8,
    max_lora_rank: 8,
    train_micro_batch_size: 128,
    sample_max_num_sequences: 128,
  };
  const command = [
    join(here, 'serve.py'),
    '--base-model',
    model,
    '--backend',
    'jax',
    '--backend-config',
    JSON.stringify(backend),
    '--database-url',
    `sqlite:///${join(folder, 'server.db')}`,
    '--checkpoints-base',
    join(folder, 'checkpoints'),
    '--port',
    String(port),
  ];
  // The server starts an engine, which nothing ties to it: the group of both is ended.
  const server = spawn(python.executable, command, {
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = once(server, 'exit');
  ends.unshift(async () => {
    process.kill(-server.pid!, 'SIGKILL');
    await exited;
    await log.close();
  });
  const isHealthy = (): Promise<boolean> =>
    fetch(`${url}/api/v1/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) {
    if (server.exitCode !== null) throw new Error(await readFile(join(folder, 'server.log'), 'utf8'));
    await setTimeout(500);
  }
});

afterAll(async () => {
  for (const end of ends) await end();
});

async function openSteps(): Promise<TrainingSteps> {
  const service = tinkerTraining({
    baseModel: model,
    apiKey: 'tml-any',
    baseUrl: url,
    loraRank: 8,
    seed: 1,
    reduction: 'row-mean',
  });
  const steps = await service.open({ name: 'skyrl', note: () => Promise.resolve() });
  ends.unshift(() => steps.stop());
  return steps;
}

const [user, assistant] = [40, 41];
const keys = [0, 1, 2, 3, 4, 5, 6, 7];
const samples = 16;

/** "Say the key that you were given": rows of one length, as every other one is compiled anew. */
function rowOf(key: number, { tokens, logprobs }: Sample, advantage: number): StepRow {
  return {
    tokens: [user, key, assistant],
    targets: [key, assistant, tokens[0]!],
    weights: [0, 0, 1],
    logprobs: [0, 0, logprobs[0]!],
    advantages: [0, 0, advantage],
  };
}

it('a policy learns on SkyRL, an optimizer step a pass, and the trainer has the logprobs of the sampler', async () => {
  const steps = await openSteps();
  const rewards: number[] = [];
  for (let step = 1; step <= 40; step += 1) {
    const weights = await steps.saveForSampling(`step-${step}`, { keep: false }).result();
    const groups = await Promise.all(
      keys.map(async (key) => {
        const prompt = [user, key, assistant];
        const seed = step * 100 + key;
        return steps.sample({ prompt, samples, maxTokens: 1, temperature: 1, seed, weights });
      }),
    );
    const earned = groups.map((group, key) => group.map(({ tokens }) => (tokens[0] === key ? 1 : 0)));
    const rows = groups.flatMap((group, key) => {
      const mean = meanOf(earned[key]!);
      return group.map((sample, at) => rowOf(key, sample, earned[key]![at]! - mean));
    });
    const pass = steps.forwardBackward(rows, loss);
    const made = steps.optimStep(adam);
    const { logprobs, answeredRows } = await pass.result();
    await made.result();
    expect(answeredRows).toBe(rows.length);
    const gaps = rows.map((row, at) => Math.abs(logprobs![at]![2]! - row.logprobs![2]!));
    expect(Math.max(...gaps)).toBeLessThan(1e-4);
    rewards.push(meanOf(earned.flat()));
  }
  console.log(`rewards: ${rewards.map((reward) => reward.toFixed(2)).join(' ')}`);
  expect(meanOf(rewards.slice(0, 3))).toBeLessThan(0.15);
  expect(meanOf(rewards.slice(-3))).toBeGreaterThan(0.4);
});

it('what is forgotten is deleted at the server', async () => {
  const steps = await openSteps();
  const kept = await steps.saveForSampling('kept', { keep: true }).result();
  const state = await steps.saveState('kept').result();
  for (const save of [kept, state, kept]) expect(await steps.forget!(save)).toBe(true);
  await expect(steps.loadState(state, { optimizer: true }).result()).rejects.toThrow(/ART_|not|no /i);
});

it('the official SDK and this driver get the same numbers for one batch, before a step and after it', async () => {
  if (python.kind === 'missing') throw new Error(python.reason);
  const steps = await openSteps();
  const rows = keys.flatMap((key) =>
    Array.from({ length: samples }, (_, at) =>
      rowOf(key, { tokens: [at], logprobs: [-3 - at / 10], stopReason: 'length' }, (at % 5) - 2),
    ),
  );
  const { logprobs: before } = await steps.forwardBackward(rows, loss).result();
  await steps.optimStep(adam).result();
  const { logprobs: after } = await steps.forwardBackward(rows, loss).result();
  const theirs = (await runPython({
    executable: python.executable,
    script: join(here, 'compare_pass.py'),
    input: {
      url,
      model,
      rows,
      adam: {
        learning_rate: adam.learningRate,
        beta1: adam.beta1,
        beta2: adam.beta2,
        eps: adam.eps,
        weight_decay: 0,
        grad_clip_norm: 0,
      },
    },
    env: { TINKER_TELEMETRY: '0' },
  })) as Record<'before' | 'after', number[][]>;
  expect(farthest(before!, theirs.before)).toBeLessThan(1e-5);
  expect(farthest(after!, theirs.after)).toBeLessThan(1e-4);
  expect(farthest(before!, after!)).toBeGreaterThan(1e-3);
});

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function farthest(one: readonly (readonly number[])[], other: readonly (readonly number[])[]): number {
  return Math.max(
    ...one.flatMap((row, at) => row.map((value, place) => Math.abs(value - other[at]![place]!))),
  );
}
