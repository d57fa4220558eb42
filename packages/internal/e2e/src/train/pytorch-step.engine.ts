import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateEnvironment } from '@art/example-learn/python-environment';
import { LocalSession, type PolicyShape } from '@art/train/local';
import type { Loss, StepRow } from '@art/train/steps';
import { expect, it, onTestFinished } from 'vitest';
import { runPython } from '../interop/run-python.ts';

const shape: PolicyShape = {
  vocabularySize: 24,
  hiddenSize: 64,
  intermediateSize: 128,
  layers: 2,
  heads: 4,
  headSize: 32,
  maxContext: 64,
  endToken: 23,
};
const losses: Loss[] = [
  { name: 'importance_sampling' },
  { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cispo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cross_entropy' },
];
// The running mean of the gradient is the gradient then, and a state tells it.
const adam = { learningRate: 1e-3, beta1: 0, beta2: 0.9, eps: 1e-3, weightDecay: 0.1, gradClipNorm: 0 };

it.each(losses)('a step of $name is that of PyTorch', async (loss) => {
  const { python } = await locateEnvironment(process.env);
  const directory = await mkdtemp(join(tmpdir(), 'art-pytorch-step-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const session = new LocalSession({ shape, seed: 4, directory });
  const before = await session.saveForSampling('before', { keep: true }).result();
  const rows = [1, 7, 40, 12].map((length) => row(length));
  const pass = session.forwardBackward(rows, loss);
  session.optimStep(adam);
  const state = await session.saveState('after').result();
  const after = await session.saveForSampling('after', { keep: true }).result();
  const { logprobs, metrics } = await pass.result();
  const found = (await runPython({
    executable: python,
    script: join(import.meta.dirname, 'check_gradients.py'),
    input: { before: before.weights, after: after.weights, state: state.state, loss, rows, logprobs, adam },
    env: { HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' },
  })) as Record<'loss' | 'logprob_gap' | 'gradient_gap' | 'largest' | 'weight_gap', number>;
  expect(Math.abs(found.loss - metrics['loss:sum']!)).toBeLessThan(1e-4);
  expect(found.logprob_gap).toBeLessThan(1e-5);
  expect(found.largest).toBeGreaterThan(0.1);
  expect(found.gradient_gap / found.largest).toBeLessThan(1e-5);
  expect(found.weight_gap).toBeLessThan(1e-5);
});

let drawn = 1;
/** The same numbers each time, without a pattern. */
function random(): number {
  drawn = (drawn * 48_271) % 2_147_483_647;
  return drawn / 2_147_483_647;
}

function token(): number {
  return Math.floor(random() * shape.vocabularySize);
}

/** With ratios on either side of the clip bounds. */
function row(length: number): StepRow {
  const list = (value: () => number): number[] => Array.from({ length }, value);
  return {
    tokens: list(token),
    targets: list(token),
    weights: list(() => (random() < 0.2 ? 0 : 1)),
    logprobs: list(() => -1 - 5 * random()),
    advantages: list(() => 2 * random() - 1),
  };
}
