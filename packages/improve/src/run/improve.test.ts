import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaults, endingJudge, plantedSearch } from '../planted-search.fixture.ts';
import type { IterationRecord } from './iteration-record.ts';

async function iterationsOf(folder: string): Promise<IterationRecord[]> {
  const text = await readFile(join(folder, 'iterations.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as IterationRecord);
}

it('finds the instructions that are missing, within the budget, and shows it on held-out tasks', async () => {
  const { done, sent, folder, notices } = await plantedSearch();
  const best = done.candidates[done.best]!;
  expect(best.prompts['system']!.split('\n').toSorted()).toEqual([
    'Answers of kind letter end with SINCERELY.',
    'Answers of kind prayer end with AMEN.',
    'Answers of kind radio end with OVER.',
    'Repeat the word.',
  ]);
  expect([done.candidates[0]!.mean, best.mean]).toEqual([0, 1]);
  expect(done.heldOut!.comparison).toMatchObject({
    direction: 'better',
    difference: { value: 1 },
    doubts: [],
  });
  expect(done.rollouts).toBe(sent.length);
  expect(sent.length).toBeLessThanOrEqual(200);
  expect(JSON.parse(await readFile(join(folder, 'prompts.json'), 'utf8'))).toEqual(best.prompts);
  const [start, ...iterations] = await iterationsOf(folder);
  expect(start).toMatchObject({ verdict: 'start', candidate: 0, prompts: defaults, rollouts: 9 });
  for (const { verdict, parent, candidate, validation, reflection } of iterations)
    if (verdict === 'accepted')
      expect([Object.keys(validation!).length, parent! < candidate!, reflection]).toEqual([
        9,
        true,
        expect.stringContaining('has to know'),
      ]);
  expect(notices.join()).toContain('All training tasks pass');
});

it('finds nothing where the remarks are shuffled, and says so by the prompts in the code', async () => {
  const kinds = ['radio', 'letter', 'prayer'];
  const shuffledRemarks = endingJudge((kind) => kinds[(kinds.indexOf(kind) + 1) % kinds.length]!);
  const { done, sent, folder } = await plantedSearch({ reward: shuffledRemarks });
  expect({ best: done.best, candidates: done.candidates.length, heldOut: done.heldOut }).toEqual({
    best: 0,
    candidates: 1,
    heldOut: null,
  });
  expect(sent.length).toBeLessThanOrEqual(200 - 24);
  expect(JSON.parse(await readFile(join(folder, 'prompts.json'), 'utf8'))).toEqual(defaults);
});
