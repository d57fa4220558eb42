import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServedPolicy, train } from '@art/train';
import { expect, it } from 'vitest';
import { openTrainingBed, words } from './training-bed.fixture.ts';

// That a policy learns in a closed loop is a test of `@art/train`, without processes: here is everything between it and an agent.
it('agents call the policy through a gateway, and every token comes back as it was sampled', async () => {
  const bed = await openTrainingBed({ steps: 3 });
  const measured = new ServedPolicy({ temperature: 0 });
  const { client } = await bed.open(measured);
  const evaluation = {
    agent: { client, endsWithProcess: true },
    policy: measured,
    tasks: words.map((word) => ({ id: word, payload: { word } })),
    everySteps: 2,
  };
  const steps = await Array.fromAsync(train({ ...bed.options, evaluation }));
  expect(steps.map(({ rollouts, withoutRows }) => [rollouts, withoutRows])).toEqual(steps.map(() => [32, 0]));
  expect(steps.map(({ rows }) => rows)).toEqual([32, 32, 32]);
  // Sampler and trainer are one function here: a token that was moved by one place would differ by about 1.
  expect(steps.map(({ logprobGap }) => logprobGap)).toEqual([0, 0, 0]);
  expect(steps.map(({ lag }) => lag)).toEqual(steps.map(() => ({ mean: 0, most: 0, mixedRows: 0 })));

  const evaluations = steps.flatMap((step) => step.evaluations);
  expect(evaluations.map(({ step }) => step)).toEqual([0, 2, 3]);
  for (const { folder, score } of evaluations) {
    const text = await readFile(join(folder, 'results.json'), 'utf8');
    expect((JSON.parse(text) as { mean: { value: number } }).mean.value).toBe(score);
  }
});
