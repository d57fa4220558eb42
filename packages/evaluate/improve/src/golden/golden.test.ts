import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readInstruction } from '../reflect/read-instruction.ts';
import { EpochBatches } from '../search/epoch-batches.ts';
import { chooseCandidate, paretoFronts, withoutDominated } from '../search/pareto-front.ts';
import { isImproved, PromptSearch } from '../search/prompt-search.ts';

/** Decisions of the reference implementation; `make_golden.py` wrote them. */
interface Golden {
  batches: { count: number; size: number; numbers: number[]; batches: number[][] }[];
  fronts: { scores: number[][]; left: Record<string, number[]>; numbers: number[]; chosen: number[] }[];
  acceptance: { before: number[]; after: number[]; accepted: boolean }[];
  turns: { names: string[]; order: [candidate: number, name: string][] };
  instructions: { answer: string; text: string }[];
}

const golden = JSON.parse(readFileSync(`${import.meta.dirname}/golden.json`, 'utf8')) as Golden;

function source(numbers: readonly number[]): () => number {
  const left = [...numbers];
  return () => left.shift()!;
}

it.each(golden.batches)('minibatches of $size of $count tasks', ({ count, size, numbers, batches }) => {
  const sampler = new EpochBatches(count, size, source(numbers));
  expect(batches.map((_, iteration) => sampler.at(iteration))).toEqual(batches);
});

it('dominated candidates, and the choice of one that is not', () => {
  expect(golden.fronts.length).toBeGreaterThan(10);
  for (const { scores, left, numbers, chosen } of golden.fronts) {
    const byTask = scores.map((row) => new Map(row.map((score, task) => [String(task), score])));
    const means = scores.map((row) => row.reduce((sum, score) => sum + score, 0) / row.length);
    const fronts = paretoFronts(byTask);
    const kept = [...withoutDominated(fronts, means)].map(([task, front]) => [task, [...front]]);
    expect(Object.fromEntries(kept)).toEqual(left);
    expect(numbers.map((number) => chooseCandidate(fronts, means, () => number))).toEqual(chosen);
  }
});

it('acceptance', () => {
  for (const { before, after, accepted } of golden.acceptance)
    expect(isImproved(before, after)).toBe(accepted);
});

it('turns of the prompts of a candidate and its children', () => {
  const { names, order } = golden.turns;
  const search = new PromptSearch(1, 1, () => 0);
  const prompts = Object.fromEntries(names.map((name) => [name, '']));
  const taken = order.map(([candidate]) => {
    if (candidate === search.candidates.length)
      search.add({ prompts, parent: candidate === 0 ? null : candidate - 1, scores: new Map() });
    return [candidate, search.takeTurn(candidate)];
  });
  expect(taken).toEqual(order);
});

it('the text in an answer', () => {
  for (const { answer, text } of golden.instructions) expect(readInstruction(answer)).toBe(text);
});
