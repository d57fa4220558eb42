import { expect, it } from 'vitest';
import type { Loss } from '../../steps/index.ts';
import { Policy } from '../model/policy.ts';
import { newWeights } from '../model/policy-weights.ts';
import { randomRows, tinyShape } from '../tiny-policy.fixture.ts';
import { gatherGradients } from './gather-gradients.ts';

const losses: Loss[] = [
  { name: 'importance_sampling' },
  { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cross_entropy' },
];
const rows = randomRows(5, [6, 1, 9]);
const doubled = { seed: 3, Numbers: Float64Array };

it.each(
  losses.flatMap((loss) => [
    [loss.name, loss, undefined] as const,
    [`${loss.name} with adapters`, loss, { rank: 2, alpha: 6 }] as const,
  ]),
)('the gradient of %s is what finite differences say, for each weight', async (_name, loss, lora) => {
  const policy = new Policy(tinyShape, newWeights(tinyShape, { ...doubled, lora }), lora);
  // Adapters begin at nothing, where half of their gradient is nothing, too.
  for (const [name, { data }] of policy.weights)
    if (name.endsWith('lora_B')) data.forEach((_, at) => (data[at] = Math.sin(at) / 9));
  await gatherGradients(policy, rows, loss);
  let worst = 0;
  for (const { data, grad } of policy.weights.values()) {
    if (grad === undefined) continue;
    for (let at = 0; at < data.length; at += Math.max(1, Math.floor(data.length / 5))) {
      const value = data[at]!;
      const step = 1e-5;
      const around: number[] = [];
      for (const change of [step, -step]) {
        data[at] = value + change;
        const { logprobs } = await gatherGradients(policy, rows, undefined);
        around.push(lossOf(logprobs, loss));
      }
      data[at] = value;
      worst = Math.max(worst, Math.abs((around[0]! - around[1]!) / (2 * step) - grad[at]!));
    }
  }
  expect(worst).toBeLessThan(1e-7);
});

it('cispo has the gradient of the logprob, times the clipped ratio as it was', async () => {
  const cispo = new Policy(tinyShape, newWeights(tinyShape, doubled));
  await gatherGradients(cispo, rows, { name: 'cispo', clipLow: 0.8, clipHigh: 1.2 });
  const plain = new Policy(tinyShape, newWeights(tinyShape, doubled));
  const { logprobs } = await gatherGradients(plain, rows, undefined);
  const frozen = rows.map((row, index) => ({
    ...row,
    weights: row.weights.map((weight, at) => {
      const ratio = Math.exp(logprobs[index]![at]! - row.logprobs![at]!);
      return weight * row.advantages![at]! * Math.min(Math.max(ratio, 0.8), 1.2);
    }),
  }));
  await gatherGradients(plain, frozen, { name: 'cross_entropy' });
  for (const [name, { grad }] of cispo.weights)
    expect(
      Math.max(...grad!.map((slope, at) => Math.abs(slope - plain.weights.get(name)!.grad![at]!))),
    ).toBeLessThan(1e-12);
});

it('the gradient of rows is the sum of the gradients of each, however long they are', async () => {
  const long = randomRows(8, [60, 60, 60, 60, 60, 60, 60, 60, 60, 60]);
  const together = new Policy(tinyShape, newWeights(tinyShape, doubled));
  const apart = new Policy(tinyShape, newWeights(tinyShape, doubled));
  const loss = { name: 'importance_sampling' } as const;
  const whole = await gatherGradients(together, long, loss);
  let sum = 0;
  for (const row of long) sum += (await gatherGradients(apart, [row], loss)).loss;
  expect(whole.loss).toBeCloseTo(sum, 10);
  for (const [name, { grad }] of together.weights)
    expect(
      Math.max(...grad!.map((slope, at) => Math.abs(slope - apart.weights.get(name)!.grad![at]!))),
    ).toBeLessThan(1e-11);
});

function lossOf(logprobs: readonly (readonly number[])[], loss: Loss): number {
  let total = 0;
  for (const [index, row] of rows.entries()) {
    for (const [at, weight] of row.weights.entries()) {
      const p = logprobs[index]![at]!;
      const ratio = Math.exp(p - row.logprobs![at]!);
      const gain = row.advantages![at]!;
      if (loss.name === 'cross_entropy') total -= weight * p;
      else if (loss.name === 'ppo')
        total -=
          weight * Math.min(ratio * gain, Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh) * gain);
      else total -= weight * ratio * gain;
    }
  }
  return total;
}
